import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** A drawing, for example a `<Lamp light="off" />`. */
  readonly picture?: ReactNode;
  /** The way on from here. */
  readonly action?: ReactNode;
}

/** What a place shows while it has nothing, cannot load, or waits: what is so, and the way on. */
export function EmptyState({ title, text, picture, action }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-4 px-4 py-16 text-center">
      {picture && <div className="text-ink-soft">{picture}</div>}
      <h2 className="text-title font-bold">{title}</h2>
      {text && <p className="text-ink-soft">{text}</p>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
