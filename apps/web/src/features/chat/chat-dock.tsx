import type { RoomId } from '@mogakgong/contract';
import MessageCircle from 'lucide-react/icons/message-circle';
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { currentLanguage, useTranslation } from '../../shared/i18n/texts.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useInertOutside } from '../../shared/ui/use-inert-outside.ts';
import { unreadMessages } from './chat-log.ts';

import type { ChatView } from './chat-view.ts';

const UNREAD_SHOWN_MAX = 99;

/** Downloaded with its texts after the room, before a press opens it. */
const ChatPanel = onDemand(async () => {
  const [panel] = await Promise.all([import('./chat-panel.tsx'), chatTexts(currentLanguage())]);
  return panel.ChatPanel;
});

/** The open state of the chat, and its actions. */
interface Dock {
  readonly isOpen: boolean;
  /** Open, and not behind a panel in its place. */
  readonly isShown: boolean;
  /** The learner opened or closed it on this page: the focus follows. */
  readonly isToggled: boolean;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly toggle: () => void;
  /** Closes it for another panel, which takes the focus. */
  readonly giveWay: () => void;
}

/** The chat of a room is closed at first; a reload keeps its state. */
export function useChatDock(roomId: RoomId): Dock {
  const [{ isOpen, isToggled }, setDock] = useState(() => ({
    isOpen: readStored(storageKeys.openChat, 'tab') === String(roomId),
    isToggled: false,
  }));
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    untilIdle()
      .then(ChatPanel.prefetch)
      // Opening the chat downloads it again, and shows the error.
      .catch(() => undefined);
  }, []);
  const setOpen = (willBeOpen: boolean, takesFocus: boolean) => {
    writeStored(storageKeys.openChat, willBeOpen ? String(roomId) : null, 'tab');
    setDock({ isOpen: willBeOpen, isToggled: takesFocus });
  };
  const toggle = () => {
    // Before the panel goes: React keeps the last focused field until it loses the focus, with all messages above.
    if (isOpen) buttonRef.current?.focus();
    setOpen(!isOpen, true);
  };
  const giveWay = () => setOpen(false, false);
  return { isOpen, isShown: isOpen, isToggled, buttonRef, toggle, giveWay };
}

interface ChatDockProps {
  readonly view: ChatView;
  readonly dock: Dock;
}

/** Below this width the panel covers the tiles (`max-sm`). */
const COVERING = '(width < 30rem)';
/** Stays reachable above and below it. */
const BAR = '[data-bar]';

/**
 * The open panel, at most 360 px wide (specification §2): beside the tiles from tablets on, over them in narrower
 * windows, and in full width on phones (room.css).
 */
export function ChatDock({ view, dock }: ChatDockProps) {
  const ref = useRef<HTMLDivElement>(null);
  useInertOutside(ref, dock.isShown ? COVERING : 'not all', BAR);
  return (
    <div ref={ref} data-chat-dock hidden={!dock.isShown}>
      <Suspense>
        <ChatPanel view={view} takesFocus={dock.isToggled} onClose={dock.toggle} />
      </Suspense>
    </div>
  );
}

/** The round button of the chat, with the number of unread messages. */
export function ChatButton({ view, dock }: ChatDockProps) {
  const { t } = useTranslation();
  const { chat, blockedIds } = view;
  const count = useStore(
    chat.store,
    ({ messages, readNumber }) =>
      unreadMessages(messages, readNumber, chat.userId, blockedIds).length,
  );
  const closedLabel = count > 0 ? t('chat.openUnread', { count }) : t('chat.open');
  return (
    <IconButton
      ref={dock.buttonRef}
      icon={MessageCircle}
      variant="primary"
      size="small"
      label={dock.isShown ? t('chat.title', { number: chat.roomId }) : closedLabel}
      aria-expanded={dock.isShown}
      className="relative"
      onClick={dock.toggle}
    >
      <span aria-hidden="true" className="dock:hidden">
        {t('chat.name')}
      </span>
      {!dock.isShown && count > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-1.5 -right-1.5 grid h-5 min-w-5 place-items-center rounded-full bg-danger px-1 font-bold text-label text-on-danger tabular-nums ring-2 ring-ground"
        >
          {count > UNREAD_SHOWN_MAX ? t('chat.manyUnread') : count}
        </span>
      )}
    </IconButton>
  );
}
