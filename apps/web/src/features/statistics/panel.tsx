import { type ReactNode, useId } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';

interface PanelProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** One question and its answer, on paper. */
export function Panel({ title, lead, actions, children, className }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'grid min-w-0 content-start gap-5 rounded-large border border-line bg-surface p-5 sm:p-7',
        className,
      )}
    >
      <header className="grid gap-1">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="font-bold text-lead">
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
