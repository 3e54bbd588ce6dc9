import { Clock, RotateCcw, Trash2 } from 'lucide-react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { profileImageAddress } from '../../shared/ui/profile-image.ts';
import type { ChatRow } from './chat-rows.ts';
import { chatTime } from './chat-times.ts';
import type { ChatView } from './chat-view.ts';
import { MessageBubble } from './message-bubble.tsx';
import type { OutgoingMessage } from './outbox.ts';

interface ChatMessageRowProps {
  readonly row: Extract<ChatRow, { kind: 'message' }>;
  readonly chat: ChatView['chat'];
  readonly renderName: ChatView['renderName'];
  readonly onOpen: () => void;
}

const AVATAR_PX = 32;

/** A message: one's own at the right, others' with picture and name above the first of a run. */
export function ChatMessageRow({ row, chat, renderName, onOpen }: ChatMessageRowProps) {
  const { message, outgoing } = row;
  const { isMyMessage, isContinuous, nickname } = message;
  return (
    <article
      data-message-id={row.key}
      data-outgoing={outgoing?.state}
      className={classNames(
        'flex gap-2.5',
        isContinuous ? 'mt-1' : 'mt-3.5',
        isMyMessage && 'justify-end',
      )}
    >
      {!isMyMessage && (
        <div className="w-8 shrink-0">
          {!isContinuous && (
            <Avatar
              name={nickname}
              src={profileImageAddress(message.profileImage)}
              size={AVATAR_PX}
            />
          )}
        </div>
      )}
      <div
        className={classNames(
          'min-w-0 max-w-[85%]',
          isMyMessage ? 'grid justify-items-end' : 'grid justify-items-start',
        )}
      >
        <SenderName row={row} renderName={renderName} />
        <div
          className={classNames(
            'flex min-w-0 items-end gap-1.5',
            isMyMessage && 'flex-row-reverse',
          )}
        >
          <MessageBubble
            text={message.message}
            isMine={isMyMessage}
            isFailed={outgoing?.state === 'failed'}
            onOpen={onOpen}
          />
          <Aside row={row} />
        </div>
        {outgoing?.state === 'failed' && (
          <FailedActions
            problem={outgoing.problem ?? ''}
            onRetry={() => chat.retry(outgoing.clientId)}
            onDiscard={() => chat.discard(outgoing.clientId)}
          />
        )}
      </div>
    </article>
  );
}

function SenderName({ row, renderName }: Pick<ChatMessageRowProps, 'row' | 'renderName'>) {
  const { t } = useTranslation();
  const { isMyMessage, isContinuous, senderId, nickname } = row.message;
  if (isMyMessage) return <span className="sr-only">{t('chat.mine')}</span>;
  if (isContinuous) return <span className="sr-only">{nickname}</span>;
  return (
    <div className="mb-1 max-w-full font-semibold text-caption">
      {renderName({ userId: senderId, nickname })}
    </div>
  );
}

/** Beside the bubble: the time at the end of a run, or where an own message stands. */
function Aside({ row }: { readonly row: ChatMessageRowProps['row'] }) {
  const { t, language } = useTranslation();
  const { timestamp } = row.message;
  const isUnderWay = row.outgoing?.state === 'queued' || row.outgoing?.state === 'sending';
  if (row.outgoing !== null && isUnderWay) {
    const text = t(row.outgoing.state === 'queued' ? 'chat.queued' : 'chat.sending');
    return (
      <span title={text} className="mb-1 shrink-0 text-ink-soft">
        <Clock size={14} aria-hidden="true" />
        <span className="sr-only">{text}</span>
      </span>
    );
  }
  if (!row.isLastOfRun || row.outgoing?.state === 'failed') return null;
  return (
    <time
      dateTime={new Date(timestamp).toISOString()}
      className="mb-0.5 shrink-0 text-[0.6875rem] text-ink-soft leading-tight"
    >
      {chatTime(language)(timestamp)}
    </time>
  );
}

interface FailedActionsProps {
  readonly problem: NonNullable<OutgoingMessage['problem']>;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

function FailedActions({ problem, onRetry, onDiscard }: FailedActionsProps) {
  const { t } = useTranslation();
  const action =
    'inline-flex min-h-8 items-center gap-1 rounded-small px-2 font-semibold hover:bg-raised';
  return (
    <div className="mt-1 text-right text-caption">
      <p role="alert" className="text-danger">
        {problem}
      </p>
      <button type="button" className={action} onClick={onRetry}>
        <RotateCcw size={14} aria-hidden="true" />
        {t('chat.retry')}
      </button>
      <button type="button" className={action} onClick={onDiscard}>
        <Trash2 size={14} aria-hidden="true" />
        {t('chat.discard')}
      </button>
    </div>
  );
}
