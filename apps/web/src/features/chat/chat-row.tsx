import { Clock, RotateCw, Trash2 } from 'lucide-react';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { shallow } from 'zustand/shallow';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { withoutBlankRuns } from './chat-log.ts';
import type { ChatRoom } from './chat-room.ts';
import type { ChatRow, ChatTimes, MessageRow } from './chat-rows.ts';

import type { ChatView, PresentSenders } from './chat-view.ts';
import { MessageMenu } from './message-menu.tsx';
import type { OutgoingMessage } from './outbox.ts';
import { QuotedMessage } from './quoted-message.tsx';
import { ReactionChips } from './reaction-chips.tsx';

interface RowProps {
  readonly row: ChatRow;
  readonly times: ChatTimes;
  readonly chat: ChatRoom;
  readonly renderName: ChatView['renderName'];
  readonly names: PresentSenders['names'] | undefined;
  /** Called before a long message is expanded. */
  readonly onOpen: () => void;
}

type MessageProps = Omit<RowProps, 'row'> & { readonly row: MessageRow };

/** One row of the log; drawn again only when something in it changes. */
export const Row = memo(RowView, ({ row: before, ...rest }, { row: after, ...next }) => {
  return shallow(before, after) && shallow(rest, next);
});

function RowView({ row, ...rest }: RowProps) {
  const { t } = useTranslation(chatTexts);
  switch (row.kind) {
    case 'day':
      return <Separator text={rest.times.day(row.timestamp)} />;
    case 'gap':
      return <Separator text={t('chat.gap')} />;
    case 'new':
      return <Separator text={t('chat.new')} isNew />;
    case 'blocked':
      return (
        <div className="mt-3 text-caption text-ink-soft">
          {rest.renderName({ userId: row.senderId, nickname: row.nickname }, t('chat.blocked'))}
        </div>
      );
    case 'message':
      return <Message row={row} {...rest} />;
  }
}

function Separator({ text, isNew = false }: { readonly text: string; readonly isNew?: boolean }) {
  return (
    <p
      className={classNames(
        'flex items-center gap-3 text-caption before:h-px before:flex-1 after:h-px after:flex-1',
        isNew
          ? 'my-3 font-semibold text-lamp-ink before:bg-lamp after:bg-lamp'
          : 'my-4 text-ink-soft before:bg-line after:bg-line',
      )}
    >
      {text}
    </p>
  );
}

/** A message: own ones on the right, others with picture and name above the first of a run. */
function Message({ row, chat, times, renderName, names, onOpen }: MessageProps) {
  const { isMyMessage, isContinuous, nickname, outgoing } = row;
  return (
    <article
      data-message-id={row.key}
      tabIndex={-1}
      data-outgoing={outgoing?.state}
      className={classNames(
        'group/message flex gap-2.5 rounded-medium',
        isContinuous ? 'mt-1' : 'mt-3.5',
        isMyMessage && 'justify-end',
      )}
    >
      {!isMyMessage && (
        <div className="w-8 shrink-0">
          {!isContinuous && <Avatar name={nickname} image={row.profileImage} size={32} />}
        </div>
      )}
      <div
        className={classNames(
          'grid min-w-0 max-w-[85%]',
          isMyMessage ? 'justify-items-end' : 'justify-items-start',
        )}
      >
        <SenderName row={row} renderName={renderName} />
        <div
          className={classNames(
            'flex min-w-0 items-end gap-1.5',
            isMyMessage && 'flex-row-reverse',
          )}
        >
          <Bubble row={row} chat={chat} onOpen={onOpen} />
          <div
            className={classNames(
              'flex shrink-0 flex-col',
              isMyMessage ? 'items-end' : 'items-start',
            )}
          >
            {outgoing === null && <MessageMenu row={row} chat={chat} />}
            <Aside row={row} times={times} />
          </div>
        </div>
        {outgoing === null && <ReactionChips row={row} chat={chat} names={names} />}
        {outgoing?.state === 'failed' && <FailedActions outgoing={outgoing} chat={chat} />}
      </div>
    </article>
  );
}

function SenderName({ row, renderName }: Pick<MessageProps, 'row' | 'renderName'>) {
  const { t } = useTranslation(chatTexts);
  const { isMyMessage, isContinuous, senderId, nickname } = row;
  if (isMyMessage) return <span className="sr-only">{t('chat.mine')}</span>;
  if (isContinuous) return <span className="sr-only">{nickname}</span>;
  return (
    <div className="mb-1 max-w-full font-semibold text-caption">
      {renderName({ userId: senderId, nickname })}
    </div>
  );
}

/**
 * The text of a message: never as markup, with its writing direction isolated. A very long one is truncated,
 * and expanded on demand.
 */
function Bubble({ row, chat, onOpen }: Pick<MessageProps, 'row' | 'chat' | 'onOpen'>) {
  const { message: text, isMyMessage, outgoing } = row;
  const { t } = useTranslation(chatTexts);
  const ref = useRef<HTMLParagraphElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect measures the text
  useLayoutEffect(() => {
    const paragraph = ref.current;
    if (paragraph !== null && !isOpen) setIsCut(paragraph.scrollHeight > paragraph.clientHeight);
  }, [text, isOpen]);
  return (
    <div
      className={classNames(
        'min-w-0 rounded-medium px-3 py-1.75 text-small leading-normal',
        isMyMessage ? 'rounded-tr-[0.25rem] bg-lamp-wash' : 'rounded-tl-[0.25rem] bg-raised',
        outgoing?.state === 'failed' && 'outline outline-danger',
      )}
    >
      {row.quote && <QuotedMessage quote={row.quote} chat={chat} />}
      <p
        ref={ref}
        dir="auto"
        className={classNames('wrap-anywhere whitespace-pre-wrap', !isOpen && 'line-clamp-12')}
      >
        <bdi>{withoutBlankRuns(text)}</bdi>
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="-mx-1 min-h-8 rounded-small px-1 font-semibold text-caption hover:underline"
          onClick={() => {
            if (!isOpen) onOpen();
            setIsOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'chat.less' : 'chat.more')}
        </button>
      )}
    </div>
  );
}

/** Beside the bubble: the time at the end of a run, or the state of an own message. */
function Aside({ row, times }: Pick<MessageProps, 'row' | 'times'>) {
  const { t } = useTranslation(chatTexts);
  const { timestamp } = row;
  const state = row.outgoing?.state;
  if (state === 'queued' || state === 'sending') {
    const text = t(`chat.${state}`);
    return (
      <span title={text} className="mb-1 shrink-0 text-ink-soft">
        <Clock size={14} aria-hidden="true" />
        <span className="sr-only">{text}</span>
      </span>
    );
  }
  if (!row.isLastOfRun || state === 'failed') return null;
  return (
    <time
      dateTime={new Date(timestamp).toISOString()}
      className="mb-0.5 shrink-0 text-tiny text-ink-soft leading-tight"
    >
      {times.time(timestamp)}
    </time>
  );
}

interface FailedActionsProps extends Pick<RowProps, 'chat'> {
  readonly outgoing: OutgoingMessage;
}

function FailedActions({ outgoing: { clientId, problem }, chat }: FailedActionsProps) {
  const { t } = useTranslation(chatTexts);
  const actions = [
    { label: t('chat.retry'), Icon: RotateCw, act: () => chat.retry(clientId) },
    { label: t('chat.discard'), Icon: Trash2, act: () => chat.discard(clientId) },
  ];
  return (
    <div className="mt-1 text-right text-caption">
      <p role="alert" className="text-danger">
        {problem || t('chat.failed')}
      </p>
      {actions.map(({ label, Icon, act }) => (
        <button
          key={label}
          type="button"
          className="inline-flex min-h-8 items-center gap-1 rounded-small px-2 font-semibold hover:bg-raised"
          onClick={act}
        >
          <Icon size={14} aria-hidden="true" />
          {label}
        </button>
      ))}
    </div>
  );
}
