import { type ReactNode, useEffect, useRef } from 'react';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { useInertOutside } from '../../shared/ui/use-inert-outside.ts';

interface SidePanelProps {
  readonly title: string;
  /** Beside the close button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Below this width the panel covers the tiles (room.css). */
const COVERING = '(width < 64rem)';

/** The bars above the panel, which toggle it. */
const ABOVE = 'header, [data-bar]';

/**
 * A panel beside the tiles, or on narrow screens over them and under the bar that opens it (room.css). Takes
 * the focus; a press outside closes it where it covers the tiles.
 */
export function SidePanel({ title, actions, children, onClose }: SidePanelProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  useInertOutside(ref, COVERING, ABOVE);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-scrim
        data-testid="panel-scrim"
        onClick={onClose}
      />
      <section ref={ref} tabIndex={-1} aria-label={title} className="side-panel">
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
