import { type ReactNode, useId, useRef } from 'react';
import { useKeptFocus } from './use-kept-focus.ts';

interface PanelProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * One question and its answer, on paper. Its title takes the focus when what had it is there no more:
 * a "try again" that worked, the way to something older.
 */
export function Panel({ title, lead, actions, children }: PanelProps) {
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  useKeptFocus(ref, () => titleRef.current?.focus({ preventScroll: true }));
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-5 rounded-large border border-line bg-surface p-5 sm:p-7"
    >
      <header className="grid gap-1">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 ref={titleRef} id={id} tabIndex={-1} className="rounded-small font-bold text-lead">
            {title}
          </h2>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {lead && <p className="max-w-[44rem] text-ink-soft text-small">{lead}</p>}
      </header>
      {children}
    </section>
  );
}
