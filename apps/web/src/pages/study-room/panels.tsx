import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';

/** The panels beside the tiles, one at a time. */
export type RoomPanel = 'desk' | 'people' | 'leaderboard' | 'about' | 'board' | 'options';

/** The open panel: one at a time, so that the tiles keep their space. */
export function usePanels() {
  const [open, setOpen] = useState<RoomPanel | null>(null);
  const desk = useRef<HTMLButtonElement>(null);
  const people = useRef<HTMLButtonElement>(null);
  const about = useRef<HTMLButtonElement>(null);
  const board = useRef<HTMLButtonElement>(null);
  const options = useRef<HTMLButtonElement>(null);
  // Opened from the list of people.
  const toggleRefs = { desk, people, leaderboard: people, about, board, options };
  /** Closes the open panel; the focus goes back to the button that opened it. */
  const close = () => {
    if (open !== null) toggleRefs[open].current?.focus();
    setOpen(null);
  };
  const toggle = (panel: RoomPanel) => (open === panel ? close() : setOpen(panel));
  // A rendered panel handles Escape itself: this is for one that is loading or failed to load.
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const isTaken = document.querySelector('[data-panel], dialog[open]') !== null;
    if (event.key === 'Escape' && !event.isComposing && !isTaken) close();
  });
  useEffect(() => {
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, []);
  return { open, toggle, close, toggleRefs };
}

export type Panels = ReturnType<typeof usePanels>;

interface PanelButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  readonly panels: Panels;
  readonly panel: RoomPanel;
}

/** A button of the bar that toggles a panel. */
export function PanelButton({ panels, panel, ...button }: PanelButtonProps) {
  return (
    <Button
      ref={panels.toggleRefs[panel]}
      variant="quiet"
      size="small"
      aria-expanded={panels.open === panel}
      onClick={() => panels.toggle(panel)}
      {...button}
    />
  );
}
