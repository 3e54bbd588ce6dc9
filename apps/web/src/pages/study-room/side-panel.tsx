import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { useInertOutside } from '../../shared/ui/use-inert-outside.ts';

interface SidePanelProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Below this width the panel lies over the tiles (`lg`). */
const COVERING = '(width < 64rem)';

/** The bars above the panel, which open and close it. */
const ABOVE = 'header, [data-bar]';

/**
 * A panel beside the tiles, or on narrow screens over them and under the bar that opens it. Takes the
 * focus; a press outside closes it where it lies over the tiles.
 */
export function SidePanel({ title, children, onClose }: SidePanelProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  // Wherever the focus is; a menu or window that is open keeps Escape for itself.
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const isFree = !event.isComposing && document.querySelector('dialog[open]') === null;
    if (event.key === 'Escape' && isFree) onClose();
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
        className="fixed inset-x-0 top-[var(--bar-bottom,7.5rem)] bottom-0 z-40 cursor-default bg-shade lg:hidden"
        onClick={onClose}
      />
      <section
        ref={ref}
        tabIndex={-1}
        aria-label={title}
        className="flex flex-col border-line border-l bg-surface outline-none max-lg:fixed max-lg:top-[var(--bar-bottom,7.5rem)] max-lg:right-0 max-lg:bottom-0 max-lg:z-40 max-lg:w-[21rem] max-sm:w-full max-lg:shadow-float lg:w-80 lg:shrink-0 lg:border-t"
      >
        <header className="flex items-center justify-between py-2 pr-2 pl-5">
          <h2 className="text-body font-bold">{title}</h2>
          <CloseButton onClick={onClose} />
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      </section>
    </>
  );
}
