import { ArrowDown, RotateCw } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { onWake } from '../../shared/clock/index.ts';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useConfirmedToday } from '../../shared/today/today.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Waiting } from '../../shared/ui/waiting.tsx';
import { unreadMessages } from './chat-log.ts';
import type { ChatRoom, ChatState } from './chat-room.ts';
import { Row } from './chat-row.tsx';
import { chatRows, chatTimes } from './chat-rows.ts';

import type { ChatView } from './chat-view.ts';
import { useChatScroll } from './use-chat-scroll.ts';

interface ChatListProps {
  readonly view: ChatView;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

const isTabVisible = () => document.visibilityState === 'visible';

/** The state of the chat, updated at most once a frame: a busy room sends more often than a screen draws. */
function useChatState({ store }: ChatRoom): ChatState {
  const subscribe = useCallback(
    (listener: () => void) => {
      let frame = 0;
      const draw = () => {
        frame = 0;
        listener();
      };
      const stop = store.subscribe(() => {
        // A hidden tab has no frames.
        if (document.hidden) listener();
        else frame ||= requestAnimationFrame(draw);
      });
      return () => {
        cancelAnimationFrame(frame);
        stop();
      };
    },
    [store],
  );
  return useSyncExternalStore(subscribe, store.getState);
}

/** The room's log, oldest message first. */
export function ChatList({ view, listRef }: ChatListProps) {
  const { chat, blockedIds, present, renderName } = view;
  const { t, language } = useTranslation(chatTexts);
  const state = useChatState(chat);
  const { messages, outgoing, gapBeforeId, readNumber } = state;
  const isVisible = useSyncExternalStore(onWake, isTabVisible);
  const unreadCount = unreadMessages(messages, readNumber, chat.userId, blockedIds).length;
  const [newAfter, setNewAfter] = useState(unreadCount > 0 ? readNumber : null);
  const timeZone = useConfirmedToday(chat.userId)?.timeZone;
  const times = useMemo(() => chatTimes(language, timeZone), [language, timeZone]);
  const chunks = useMemo(
    () =>
      chatRows({
        messages,
        outgoing,
        self: chat,
        blockedIds,
        present,
        gapBeforeId,
        newAfter,
        times,
      }),
    [messages, outgoing, chat, blockedIds, present, gapBeforeId, newAfter, times],
  );
  // A failed page is loaded again after a press or the next connection, not at every scroll.
  const onNearBeginning = () => {
    if (state.olderFailure === null) void chat.loadOlder();
  };
  const scroll = useChatScroll(listRef, chunks, onNearBeginning);

  const { isAtEnd, toEnd } = scroll;
  const isReading = isAtEnd && isVisible;
  useEffect(() => {
    if (unreadCount === 0) return;
    if (isReading) chat.markRead();
    else setNewAfter(readNumber);
  }, [isReading, unreadCount, chat, readNumber]);
  // A writing learner sees the end of the log, so everything new counts as read.
  const lastOutgoing = outgoing.at(-1)?.clientId;
  useEffect(() => {
    if (lastOutgoing === undefined) return;
    toEnd();
    setNewAfter(null);
  }, [lastOutgoing, toEnd]);

  const isEmpty = state.hasLoaded && messages.length === 0 && outgoing.length === 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={listRef}
        role="log"
        aria-live="off"
        aria-label={t('chat.log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable log must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain px-4 pb-3 [overflow-anchor:none]"
        onScroll={scroll.onScroll}
      >
        <div ref={scroll.contentRef} className="flow-root">
          <OlderButton chat={chat} state={state} />
          {chunks.map(({ key, rows }, index) => (
            <Chunk key={key} size={rows.length} isLast={index >= chunks.length - 2}>
              {rows.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  times={times}
                  chat={chat}
                  renderName={renderName}
                  names={present?.names}
                  onOpen={scroll.stay}
                />
              ))}
            </Chunk>
          ))}
        </div>
        {!state.hasLoaded && <LoadingLog />}
        {isEmpty && <EmptyLog />}
      </div>
      {!isAtEnd && <ToNewest unreadCount={unreadCount} onClick={toEnd} />}
    </div>
  );
}

interface OlderButtonProps {
  readonly chat: ChatRoom;
  readonly state: ChatState;
}

function OlderButton({ chat, state }: OlderButtonProps) {
  const { t } = useTranslation(chatTexts);
  const { hasOlder, isLoadingOlder, olderFailure: failure } = state;
  if (!hasOlder) return null;
  return (
    <div className="grid justify-items-center gap-1 pt-3 text-center">
      <p role="alert" className="text-ink-soft text-small empty:hidden">
        {failure}
      </p>
      <Button
        size="small"
        variant="quiet"
        loading={isLoadingOlder}
        icon={failure === null ? undefined : RotateCw}
        onClick={() => void chat.loadOlder()}
      >
        {t(failure === null ? 'chat.older' : 'common.retry')}
      </Button>
    </div>
  );
}

function ToNewest(props: { readonly unreadCount: number; readonly onClick: () => void }) {
  const { t } = useTranslation(chatTexts);
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
  const { t } = useTranslation(chatTexts);
  return <Waiting className="py-10 text-small">{t('chat.loading')}</Waiting>;
}

function EmptyLog() {
  const { t } = useTranslation(chatTexts);
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 py-10 text-center">
      <Lamp light="low" size={56} />
      <p className="text-ink-soft text-small">{t('chat.empty')}</p>
    </div>
  );
}

/** This much larger than the rows, so that the box clips no focus ring. */
const CHUNK = '-mx-4 -mb-1.5 flow-root px-4 pb-1.5 [contain-intrinsic-size:auto_1px]';

interface ChunkProps {
  /** The number of rows. */
  readonly size: number;
  /** The last chunks are always rendered: they grow. */
  readonly isLast: boolean;
  readonly children: ReactNode;
}

/**
 * Rows that the browser skips far from the visible part. They stay in the page, for its search and the
 * selection; their height is known from their first rendering with as many rows.
 */
function Chunk({ size, isLast, children }: ChunkProps) {
  const [measuredSize, setMeasuredSize] = useState(0);
  useEffect(() => {
    // The browser remembers the height at the end of the frame.
    let frame = 0;
    const nextFrame = (then: () => void) => {
      frame = requestAnimationFrame(then);
    };
    nextFrame(() => nextFrame(() => setMeasuredSize(size)));
    return () => cancelAnimationFrame(frame);
  }, [size]);
  const isSkipped = measuredSize === size && !isLast;
  return (
    <div data-chat-rows className={classNames(CHUNK, isSkipped && '[content-visibility:auto]')}>
      {children}
    </div>
  );
}
