import type { ReactNode } from 'react';

interface TitleGroupProps {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** Cards. */
  readonly children: ReactNode;
}

/** Title cards under a heading. */
export function TitleGroup({ id, name, note, children }: TitleGroupProps) {
  return (
    <section aria-labelledby={`titles-${id}`} className="grid gap-3">
      <h3 id={`titles-${id}`} className="flex items-baseline gap-2 font-semibold text-small">
        {name}
        {note && (
          <span className="font-normal text-caption text-ink-soft tabular-nums">{note}</span>
        )}
      </h3>
      <ul className="grid gap-2 sm:grid-cols-2 sm:gap-3 lg:grid-cols-3">{children}</ul>
    </section>
  );
}
