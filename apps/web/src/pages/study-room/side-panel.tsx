import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { useInertOutside } from '../../shared/ui/use-inert-outside.ts';

interface SidePanelProps {
  readonly title: string;
  /** Beside the close button. */
  readonly actions?: ReactNode;
  /** `board` and `wide` cover narrow windows; `wide` leaves the tiles one column. */
  readonly size?: 'narrow' | 'board' | 'wide';
  readonly children: ReactNode;
  /** The action of Escape; closes the panel by default. */
  readonly onEscape?: () => void;
  readonly onClose: () => void;
}

const WIDTHS = {
  narrow: 'w-[22.5rem] max-dock:w-full lg:shrink-0',
  board: 'w-full lg:w-[var(--panel-width)] lg:shrink-0',
  wide: 'w-full lg:min-w-0 lg:flex-1',
} as const;

/** Below this width the panel covers the tiles (`lg`). */
const COVERING = '(width < 64rem)';

/** The bars above the panel, which toggle it. */
const ABOVE = 'header, [data-bar]';

/**
 * A panel beside the tiles, or on narrow screens over them and under the bar that opens it. Takes the focus;
 * a press outside closes it where it covers the tiles.
 */
export function SidePanel(props: SidePanelProps) {
  const { title, actions, size = 'narrow', children, onClose, onEscape = onClose } = props;
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  // Wherever the focus is; an open menu or dialog handles Escape first.
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const isFree = !event.isComposing && document.querySelector('dialog[open]') === null;
    if (event.key === 'Escape' && isFree) onEscape();
  });
  useEffect(() => {
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, []);
  useInertOutside(ref, COVERING, ABOVE);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-scrim
        data-testid="panel-scrim"
        className="fixed inset-x-0 top-[var(--sheet-top,7.5rem)] bottom-[var(--tools-height)] z-40 cursor-default bg-shade lg:hidden"
        onClick={onClose}
      />
      <section
        ref={ref}
        tabIndex={-1}
        aria-label={title}
        data-panel={size}
        className={classNames(
          'flex flex-col border-line border-l bg-surface outline-none max-lg:fixed max-lg:top-[var(--sheet-top,7.5rem)] max-lg:right-0 max-lg:bottom-[var(--tools-height)] max-lg:z-40 max-lg:shadow-float lg:border-t',
          WIDTHS[size],
        )}
      >
        <header className="flex items-center justify-between py-2 pr-2 pl-5 [@media(height<30rem)]:py-0">
          <h2 className="text-body font-bold">{title}</h2>
          <div className="flex items-center">
            {actions}
            <CloseButton onClick={onClose} />
          </div>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      </section>
    </>
  );
}
