import { type Ref, useRef, useState } from 'react';
import type { RoomPanel } from './room-bar.tsx';

export interface Panels {
  readonly open: RoomPanel | null;
  readonly toggle: (panel: RoomPanel) => void;
  /** Closes what is open; the focus goes back to the button that opened it. */
  readonly close: () => void;
  readonly toggleRefs: Readonly<Record<RoomPanel, Ref<HTMLButtonElement>>>;
}

/** Which panel stands beside the tiles: one at a time, so that the tiles keep their room. */
export function usePanels(): Panels {
  const [open, setOpen] = useState<RoomPanel | null>(null);
  const desk = useRef<HTMLButtonElement>(null);
  const people = useRef<HTMLButtonElement>(null);
  const toggleRefs = { desk, people };
  const close = () => {
    if (open !== null) toggleRefs[open].current?.focus();
    setOpen(null);
  };
  const toggle = (panel: RoomPanel) => (open === panel ? close() : setOpen(panel));
  return { open, toggle, close, toggleRefs };
}
