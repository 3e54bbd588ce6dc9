import type { RoomId } from '@mogakgong/contract';
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useChatDock } from '../../features/chat/chat-dock.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useMedia } from '../../shared/ui/use-media.ts';

/** The panels beside the tiles, one at a time. */
export type RoomPanel = 'desk' | 'people' | 'leaderboard' | 'about' | 'board' | 'options';

/** From these widths a panel is beside the tiles, and with the chat beside both (room.css). */
const BESIDE = '(width >= 64rem)';
const BESIDE_WITH_CHAT = '(width >= 90rem)';

/**
 * The open panel, one at a time, and the chat. Where both do not fit beside the tiles, a panel stands in the
 * place of the chat, and a press on the button of either shows it. Where they cover the tiles, a panel closes
 * the chat.
 */
export function usePanels(roomId: RoomId) {
  const [open, setOpen] = useState<RoomPanel | null>(null);
  /** The board leaves the tiles one column. */
  const [isWide, setIsWide] = useState(false);
  const dock = useChatDock(roomId);
  const isBeside = useMedia(BESIDE);
  const isBesideChat = useMedia(open === 'board' ? BESIDE : BESIDE_WITH_CHAT);
  const toggleRefs = useToggleRefs();
  const show = (panel: RoomPanel | null) => {
    setOpen(panel);
    setIsWide(false);
  };
  /** Closes the open panel; the focus goes back to the button that opened it. */
  const close = () => {
    if (open !== null) toggleRefs[open].current?.focus();
    show(null);
  };
  const toggle = (panel: RoomPanel) => {
    if (open === panel) return close();
    if (!isBeside && dock.isOpen) dock.giveWay();
    show(panel);
  };
  const isChatHidden = open !== null && !isBesideChat;
  const toggleChat = () => {
    if (isChatHidden) close();
    if (isChatHidden && dock.isOpen) dock.buttonRef.current?.focus();
    else dock.toggle();
  };
  /** A wide board becomes small before it closes. */
  const stepBack = () => (isWide ? setIsWide(false) : close());
  // Wherever the focus is; an open menu or dialog handles Escape first.
  const stepBackOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const isTaken = event.isComposing || document.querySelector('dialog[open]') !== null;
    if (event.key === 'Escape' && !isTaken && open !== null) stepBack();
  });
  useEffect(() => {
    document.addEventListener('keydown', stepBackOnEscape);
    return () => document.removeEventListener('keydown', stepBackOnEscape);
  }, []);
  return {
    open,
    isWide,
    toggleWide: () => setIsWide(!isWide),
    toggle,
    close,
    stepBack,
    toggleRefs,
    chat: { ...dock, toggle: toggleChat, isShown: dock.isOpen && !isChatHidden },
  };
}

/** The buttons that open the panels. */
function useToggleRefs() {
  const desk = useRef<HTMLButtonElement>(null);
  const people = useRef<HTMLButtonElement>(null);
  const about = useRef<HTMLButtonElement>(null);
  const board = useRef<HTMLButtonElement>(null);
  const options = useRef<HTMLButtonElement>(null);
  // The leaderboard is opened from the list of people.
  return { desk, people, leaderboard: people, about, board, options };
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
