import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../shared/api/index.ts';
import { translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { Row } from './chat-row.tsx';
import { chatRows, unreadMessages } from './chat-rows.ts';
import type { ChatView } from './chat-view.ts';
import { RowChunkView } from './row-chunk-view.tsx';
import { useChatSnapshot } from './use-chat-room.ts';
import { useChatScroll } from './use-chat-scroll.ts';
import { useIsVisible } from './use-is-visible.ts';

interface ChatListProps {
  readonly view: ChatView;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

/** The room's log, oldest above. */
export function ChatList({ view, listRef }: ChatListProps) {
  const { chat, selfId, roomId, blockedIds, renderName } = view;
  const { t } = useTranslation();
  const snapshot = useChatSnapshot(chat);
  const { messages, outgoing, gapBeforeId, readNumber, hasOlder } = snapshot;
  const isVisible = useIsVisible();
  const unread = unreadMessages(messages, readNumber, selfId, blockedIds);
  const [newAfter, setNewAfter] = useState(unread.length > 0 ? readNumber : null);
  const chunks = useMemo(
    () =>
      chatRows({
        messages,
        outgoing,
        self: { userId: selfId, roomId },
        blockedIds,
        gapBeforeId,
        newAfter,
      }),
    [messages, outgoing, selfId, roomId, blockedIds, gapBeforeId, newAfter],
  );
  const scroll = useChatScroll({
    viewRef: listRef,
    firstKey: messages[0]?.id,
    rows: chunks,
    onNearBeginning: () => void loadOlder(chat),
  });

  const { isAtEnd, toEnd } = scroll;
  const isReading = isAtEnd && isVisible;
  const unreadCount = unread.length;
  useEffect(() => {
    if (unreadCount === 0) return;
    if (isReading) chat.markRead();
    else setNewAfter(readNumber);
  }, [isReading, unreadCount, chat, readNumber]);
  // Whoever writes wants to see it, and has seen what was new.
  const lastOutgoing = outgoing.at(-1)?.clientId;
  useEffect(() => {
    if (lastOutgoing === undefined) return;
    toEnd();
    setNewAfter(null);
  }, [lastOutgoing, toEnd]);

  const isEmpty = snapshot.hasLoaded && messages.length === 0 && outgoing.length === 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={listRef}
        data-chat-scroll
        role="log"
        aria-live="off"
        aria-label={t('chat.log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-3 [overflow-anchor:none]"
        onScroll={scroll.onScroll}
      >
        <div ref={scroll.contentRef} className="flow-root">
          {hasOlder && (
            <OlderButton isLoading={snapshot.isLoadingOlder} onClick={() => void loadOlder(chat)} />
          )}
          {chunks.map(({ key, rows }, index) => (
            <RowChunkView key={key} isLast={index >= chunks.length - 2}>
              {rows.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  chat={chat}
                  renderName={renderName}
                  onOpen={scroll.stay}
                />
              ))}
            </RowChunkView>
          ))}
        </div>
        {isEmpty && <EmptyLog />}
        {!snapshot.hasLoaded && <LoadingLog />}
      </div>
      {!isAtEnd && <ToNewest unreadCount={unreadCount} onClick={toEnd} />}
    </div>
  );
}

async function loadOlder(chat: ChatView['chat']): Promise<void> {
  try {
    await chat.loadOlder();
  } catch (error) {
    notify.toast(error instanceof ApiError ? error.message : translate('chat.olderFailed'), 'bad');
  }
}

function OlderButton(props: { readonly isLoading: boolean; readonly onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid justify-items-center pt-3">
      <Button size="small" variant="quiet" loading={props.isLoading} onClick={props.onClick}>
        {t('chat.older')}
      </Button>
    </div>
  );
}

function ToNewest(props: { readonly unreadCount: number; readonly onClick: () => void }) {
  const { t } = useTranslation();
  const label =
    props.unreadCount > 0 ? t('chat.newBelow', { count: props.unreadCount }) : t('chat.toNewest');
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 grid justify-items-center">
      <button
        type="button"
        className="pointer-events-auto inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line bg-surface px-3.5 font-semibold text-caption shadow-raised hover:bg-raised"
        onClick={props.onClick}
      >
        {label}
        <ArrowDown size={15} aria-hidden="true" />
      </button>
    </div>
  );
}

function LoadingLog() {
  const { t } = useTranslation();
  return (
    <p className="flex items-center justify-center gap-3 py-10 text-ink-soft text-small">
      <Spinner />
      {t('chat.loading')}
    </p>
  );
}

function EmptyLog() {
  const { t } = useTranslation();
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 py-10 text-center">
      <Lamp light="low" size={56} decorative />
      <p className="text-ink-soft text-small">{t('chat.empty')}</p>
    </div>
  );
}
