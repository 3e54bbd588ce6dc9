import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useRegularAnnouncement } from '../../shared/ui/announcement.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { ChatComposer, hasKeyboard } from './chat-composer.tsx';
import { ChatList } from './chat-list.tsx';
import { unreadMessages } from './chat-log.ts';

import type { ChatView } from './chat-view.ts';
import { UnsentList } from './unsent-list.tsx';
import { useToldReads } from './use-told-reads.ts';

interface ChatPanelProps {
  readonly view: ChatView;
  /** Absent where the panel cannot be closed. */
  readonly onClose?: () => void;
  /** False for a panel that was open before the page was loaded. */
  readonly takesFocus?: boolean;
}

/** The study room's chat (specification §2): title, connection, log and input. */
export function ChatPanel({ view, onClose, takesFocus = true }: ChatPanelProps) {
  const { t } = useTranslation(chatTexts);
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  const composerRef = useRef<HTMLTextAreaElement>(null);
  const listRef = useRef<HTMLDivElement>(null);
  // Without a physical keyboard the focused composer would open one over the messages.
  useEffect(() => {
    if (takesFocus) (hasKeyboard() ? composerRef : ref).current?.focus();
  }, [takesFocus]);
  useToldReads(view.chat, view.isMock);
  useKeptFocus(ref, () => (hasKeyboard() ? composerRef : listRef).current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    // Only the chat closes, not another panel beside it.
    event.stopPropagation();
    onClose?.();
  };
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={id}
      className="flex h-full min-h-0 w-full flex-col bg-surface outline-none"
      onKeyDown={onKeyDown}
    >
      <header className="flex min-h-14 items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
        <h2 id={id} className="min-w-0 truncate font-bold text-small">
          {t('chat.title', { number: view.chat.roomId })}
        </h2>
        <ConnectionIndicator {...view} />
        {onClose && (
          <div className="ml-auto">
            <CloseButton label={t('chat.close')} onClick={onClose} />
          </div>
        )}
      </header>
      <ConnectionLine {...view} />
      <ChatList view={view} listRef={listRef} />
      <Leftovers view={view} />
      <ChatComposer chat={view.chat} muteNote={view.muteNote} inputRef={composerRef} />
      <ChatAnnouncer view={view} />
    </section>
  );
}

/** Unsent texts of another room or gathering. */
function Leftovers({ view: { chat } }: { readonly view: ChatView }) {
  const { t } = useTranslation(chatTexts);
  const leftovers = useStore(chat.store, (state) => state.leftovers);
  return (
    <div className="border-line border-t bg-raised px-3 py-2.5 empty:hidden">
      <UnsentList
        lead={t('chat.unsentElsewhere')}
        texts={leftovers}
        onDiscard={(text) => chat.discardLeftover(text)}
      />
    </div>
  );
}

/** Explains a lost or degraded connection. */
function ConnectionLine({ chat }: ChatView) {
  const { t } = useTranslation(chatTexts);
  const { state, isDegraded, refusal } = useStore(chat.transport.store);
  const isHeldUp = useStore(chat.store, (each) => each.isHeldUp);
  const isDown = state === 'disconnected';
  const line = isHeldUp ? t('chat.heldUp') : isDegraded && t('chat.degraded');
  const [wasDown, setWasDown] = useState(false);
  if (isDown && !wasDown) setWasDown(true);
  return (
    <div role="status">
      {(isDown || line) && (
        <p className="bg-lamp-wash px-4 py-2 text-caption">
          {isDown ? (refusal ?? t('chat.waiting')) : line}
        </p>
      )}
      {wasDown && state === 'connected' && <p className="sr-only">{t('chat.reconnected')}</p>}
    </div>
  );
}

/** The Mock label, or a green or red dot with a text for screen readers (specification §2). */
function ConnectionIndicator({ chat, isMock }: ChatView) {
  const { t } = useTranslation(chatTexts);
  const { state } = useStore(chat.transport.store);
  if (isMock) {
    return (
      <span className="rounded-small border border-line-strong px-1.5 font-semibold text-caption text-ink-soft">
        {t('chat.mock')}
      </span>
    );
  }
  const text = t(`chat.${state}`);
  return (
    <span data-chat-connection={state} title={text} className="grid size-5 place-items-center">
      <span
        aria-hidden="true"
        className={classNames(
          'size-2.5 rounded-full forced-color-adjust-none',
          state === 'connected' ? 'bg-focus' : 'bg-ended ring-3 ring-ended/25',
        )}
      />
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** More new messages than this are counted instead of read out. */
const READ_OUT_MAX = 3;

/** Announces others' messages while the panel is open; scrolling through the log announces nothing. */
function ChatAnnouncer({ view: { chat, blockedIds } }: { readonly view: ChatView }) {
  const { t } = useTranslation(chatTexts);
  const { messages, hasLoaded } = useStore(chat.store);
  const announcedRef = useRef<number | null>(null);
  const last = messages.at(-1)?.number ?? 0;
  useEffect(() => {
    // Another gathering counts from 1 again.
    if (hasLoaded) announcedRef.current = Math.min(announcedRef.current ?? last, last);
  }, [hasLoaded, last]);
  const line = useRegularAnnouncement(() => {
    const unread = unreadMessages(messages, announcedRef.current ?? last, chat.userId, blockedIds);
    if (hasLoaded) announcedRef.current = last;
    if (unread.length > READ_OUT_MAX) return t('chat.saysMany', { count: unread.length });
    return unread
      .map(({ nickname, content }) => t('chat.says', { name: nickname, text: content }))
      .join(' ');
  });
  return <Announcement line={line} testId="chat-announcement" />;
}
