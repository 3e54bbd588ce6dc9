import { createContext, type ReactNode, use, useId, useRef } from 'react';
import { useKeptFocus } from './use-kept-focus.ts';

/** The heading level of panels: `h3` within a section that has its own heading. */
export const PanelHeading = createContext<'h2' | 'h3'>('h2');

interface PanelProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * One question and its answer, on a card. Its title takes the focus when the focused element disappears: a
 * successful "try again", the link to older entries.
 */
export function Panel({ title, lead, actions, children }: PanelProps) {
  const id = useId();
  const Heading = use(PanelHeading);
  const ref = useRef<HTMLElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  useKeptFocus(ref, () => titleRef.current?.focus({ preventScroll: true }));
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5 rounded-large border border-line bg-surface p-5 sm:p-7"
    >
      <header className="grid gap-1">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
          <Heading
            ref={titleRef}
            id={id}
            tabIndex={-1}
            className="rounded-small font-bold text-lead"
          >
            {title}
          </Heading>
          {actions && (
            // On a phone each finds its own place: the first beside the title, if it fits.
            <div className="flex flex-wrap items-center gap-2 max-sm:contents">{actions}</div>
          )}
        </div>
        {lead && <p className="max-w-[44rem] text-ink-soft text-small">{lead}</p>}
      </header>
      {children}
    </section>
  );
}
