import { MessageCircle } from 'lucide-react';
import { type ComponentProps, type Ref, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useInertOutside } from '../../shared/ui/use-inert-outside.ts';
import { unreadMessages } from './chat-log.ts';
import type { ChatView } from './chat-view.ts';

const UNREAD_SHOWN_MAX = 99;

/** Downloaded behind the room, ahead of the press that opens it. */
const ChatPanel = onDemand(async () => (await import('./chat-panel.tsx')).ChatPanel);

interface ChatDockProps {
  readonly view: ChatView;
  /** A panel stands at the right edge: the button makes way for it. */
  readonly isBesidePanel?: boolean;
}

/**
 * The round button at the bottom right and the panel that it opens, at most 360 px wide
 * (specification §2): beside the tiles where there is room, above them on tablets, the whole height
 * of a phone at its right edge.
 */
export function ChatDock({ view, isBesidePanel = false }: ChatDockProps) {
  const [{ isOpen, isToggled }, setDock] = useState(() => ({
    isOpen: readStored(storageKeys.openChat, 'tab') === String(view.chat.roomId),
    isToggled: false,
  }));
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => void ChatPanel.prefetch().catch(() => undefined), []);
  useEffect(() => {
    if (isToggled && !isOpen) buttonRef.current?.focus();
  }, [isOpen, isToggled]);
  const toggle = () => {
    writeStored(storageKeys.openChat, isOpen ? null : String(view.chat.roomId), 'tab');
    setDock({ isOpen: !isOpen, isToggled: true });
  };

  if (!isOpen) return <ChatButton {...{ view, isBesidePanel, buttonRef }} onClick={toggle} />;
  return <OpenDock view={view} takesFocus={isToggled} onClose={toggle} />;
}

/** Below this width the panel covers the window, except a margin on large phones (`max-sm`). */
const COVERING = '(width < 30rem)';

function OpenDock(props: ComponentProps<typeof ChatPanel>) {
  const ref = useRef<HTMLDivElement>(null);
  useInertOutside(ref, COVERING);
  return (
    <div
      ref={ref}
      data-chat-dock
      className="z-30 border-line max-lg:fixed max-lg:shadow-float max-sm:inset-y-0 max-sm:right-0 max-sm:w-full max-sm:max-w-[22.5rem] sm:max-lg:top-[calc(var(--bar-bottom,7.5rem)+0.25rem)] sm:max-lg:right-4 sm:max-lg:bottom-4 sm:max-lg:w-[22.5rem] sm:max-lg:overflow-hidden sm:max-lg:rounded-large sm:max-lg:border lg:w-[22.5rem] lg:shrink-0 lg:border-l lg:border-t"
    >
      <ChatPanel {...props} />
    </div>
  );
}

interface ChatButtonProps extends Required<ChatDockProps> {
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly onClick: () => void;
}

function ChatButton({ view, isBesidePanel, buttonRef, onClick }: ChatButtonProps) {
  const { t } = useTranslation();
  const { chat, blockedIds } = view;
  const count = useStore(
    chat.store,
    ({ messages, readNumber }) =>
      unreadMessages(messages, readNumber, chat.userId, blockedIds).length,
  );
  return (
    <IconButton
      ref={buttonRef}
      icon={MessageCircle}
      variant="primary"
      size="large"
      label={count > 0 ? t('chat.openUnread', { count }) : t('chat.open')}
      className={classNames(
        'fixed right-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 shadow-float sm:right-6 sm:bottom-6',
        isBesidePanel && 'lg:right-[calc(var(--panel-width,20rem)+1.5rem)]',
      )}
      onClick={onClick}
    >
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-1 -right-1 grid h-6 min-w-6 place-items-center rounded-full bg-danger px-1.5 font-bold text-caption text-on-danger tabular-nums ring-2 ring-ground"
        >
          {count > UNREAD_SHOWN_MAX ? t('chat.manyUnread') : count}
        </span>
      )}
    </IconButton>
  );
}
