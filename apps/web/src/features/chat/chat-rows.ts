import { type ChatQuote, type RoomId, type UserId, WITHHELD_SENDER_ID } from '@mogakgong/contract';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import type { LogMessage } from './chat-log.ts';
import type { PresentSenders } from './chat-view.ts';
import type { OutgoingMessage } from './outbox.ts';

/** A message as displayed (specification §3, display). */
export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly senderId: UserId;
  readonly studyroomId: RoomId;
  readonly nickname: string;
  readonly profileImage: string;
  readonly message: string;
  /** Epoch ms. */
  readonly timestamp: number;
  readonly isMyMessage: boolean;
  /** Continues the run of the message above: same sender, within a minute. */
  readonly isContinuous: boolean;
  /** The time is shown at the end of a run. */
  readonly isLastOfRun: boolean;
  /** The message that it answers. */
  readonly quote: ChatQuote | undefined;
  /** Set while the server has not confirmed an own message. */
  readonly outgoing: OutgoingMessage | null;
}

/** A row has no object fields but `outgoing` and `quote`, so that a shallow comparison finds equal rows. */
export type ChatRow =
  | { readonly kind: 'day'; readonly key: string; readonly timestamp: number }
  /** Messages before this row may be missing. */
  | { readonly kind: 'gap'; readonly key: string }
  /** The start of unread messages. */
  | { readonly kind: 'new'; readonly key: string }
  | ({ readonly kind: 'blocked' } & Pick<MessageRow, 'key' | 'senderId' | 'nickname'>)
  | MessageRow;

interface RowsInput {
  readonly messages: readonly LogMessage[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly self: { readonly userId: UserId; readonly roomId: RoomId };
  readonly blockedIds: ReadonlySet<UserId>;
  readonly present?: PresentSenders | undefined;
  readonly gapBeforeId: string | null;
  /** Number of the last message before the "new" marker; null without one. */
  readonly newAfter: number | null;
  /** Decides where a new day starts. */
  readonly times: Pick<ChatTimes, 'dayOf'>;
}

const RUN_MS = 60_000;
const CHUNK_MESSAGES = 25;

/** A message before its neighbours are known. */
interface Item {
  readonly row: Omit<MessageRow, 'isContinuous' | 'isLastOfRun'>;
  readonly chunk: string;
  readonly day: string;
  readonly isBlocked: boolean;
}

/**
 * Turns the log and the outbox into rows: days, runs of one sender, markers, and one placeholder for
 * consecutive messages of blocked learners (specification §4). The browser paints or skips the rows of a
 * chunk together; chunks keep their keys when older messages come before.
 */
export function chatRows(input: RowsInput) {
  const { self, gapBeforeId, newAfter } = input;
  // A learner blocked by the sender sees nothing in place of a message.
  const messages = input.messages.filter(({ senderId }) => senderId !== WITHHELD_SENDER_ID);
  const firstNewId = messages.find(
    ({ number, senderId }) => newAfter !== null && number > newAfter && senderId !== self.userId,
  )?.id;
  const chunks: { key: string; rows: ChatRow[] }[] = [];
  const items = itemsOf({ ...input, messages });
  for (const [index, item] of items.entries()) {
    let chunk = chunks.at(-1);
    if (chunk?.key !== item.chunk) {
      chunk = { key: item.chunk, rows: [] };
      chunks.push(chunk);
    }
    const before = items[index - 1];
    const after = items[index + 1];
    const { key, timestamp, senderId, nickname } = item.row;
    const separators: ChatRow[] = [];
    if (key === gapBeforeId) separators.push({ kind: 'gap', key: `gap-${key}` });
    if (before?.day !== item.day) separators.push({ kind: 'day', key: `day-${key}`, timestamp });
    if (before && key === firstNewId) separators.push({ kind: 'new', key: 'new' });
    const isAfterSeparator = separators.length > 0;
    chunk.rows.push(...separators);
    if (!item.isBlocked) {
      chunk.rows.push({
        ...item.row,
        isContinuous: !isAfterSeparator && isOneRun(before, item),
        isLastOfRun: after?.row.key === firstNewId || !isOneRun(item, after),
      });
    } else if (isAfterSeparator || !before?.isBlocked) {
      chunk.rows.push({ kind: 'blocked', key, senderId, nickname });
    }
  }
  return chunks;
}

function isOneRun(before: Item | undefined, item: Item | undefined): boolean {
  if (!before || !item || before.isBlocked || item.isBlocked) return false;
  const isClose = item.row.timestamp - before.row.timestamp < RUN_MS && item.day === before.day;
  return isClose && item.row.senderId === before.row.senderId;
}

function itemsOf(input: RowsInput): Item[] {
  const { messages, outgoing, self, blockedIds, present, times } = input;
  const itemOf = (
    chunk: string,
    parts: Omit<Item['row'], 'kind' | 'studyroomId' | 'isMyMessage'>,
    isWithheld = false,
  ) => {
    const isMyMessage = parts.senderId === self.userId;
    return {
      row: { kind: 'message', studyroomId: self.roomId, isMyMessage, ...parts },
      chunk,
      day: times.dayOf(parts.timestamp),
      isBlocked: isWithheld || (!isMyMessage && blockedIds.has(parts.senderId)),
    } as const;
  };
  return [
    ...messages.map((message) => {
      const chunk = `${message.epoch}-${Math.floor(message.number / CHUNK_MESSAGES)}`;
      const parts = {
        key: message.id,
        senderId: message.senderId,
        // Empty while the sender is blocked.
        nickname: present?.names.get(message.senderId) || message.nickname,
        profileImage: present?.pictures.get(message.senderId) || message.profileImage,
        message: message.content,
        timestamp: message.sentAtMs,
        quote: message.quote && hiddenIf(blockedIds, message.quote),
        outgoing: null,
      };
      return itemOf(chunk, parts, message.isWithheld);
    }),
    ...outgoing.map((entry) =>
      itemOf('outgoing', {
        key: entry.clientId,
        senderId: self.userId,
        nickname: '',
        profileImage: '',
        message: entry.content,
        timestamp: entry.writtenAtMs,
        quote: entry.quote,
        outgoing: entry,
      }),
    ),
  ];
}

/** The same object unless its sender was blocked after it arrived. */
function hiddenIf(blockedIds: ReadonlySet<UserId>, quote: ChatQuote): ChatQuote {
  return blockedIds.has(quote.senderId) ? { ...quote, hidden: 'blocked' } : quote;
}

export type ChatTimes = ReturnType<typeof chatTimes>;

/** Time zone offsets are whole quarters of an hour, so each quarter belongs to one day. */
const QUARTER_MS = 15 * 60_000;

/**
 * Formats times in epoch ms: in the learner's time zone, like the statistics; in the browser's until that is
 * known.
 */
export function chatTimes(language: string, timeZone: string | undefined) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = dateFormat(language, { ...options, timeZone });
    return (timestamp: number) => formatter.format(timestamp);
  };
  const date = format({ dateStyle: 'short' });
  const days = new Map<number, string>();
  return {
    time: format({ hour: 'numeric', minute: '2-digit' }),
    /** The line above the messages of a day. */
    day: format({ month: 'long', day: 'numeric', weekday: 'long' }),
    /** Equal for two times of one calendar day. */
    dayOf(timestamp: number): string {
      const quarter = Math.floor(timestamp / QUARTER_MS);
      const day = days.get(quarter) ?? date(timestamp);
      days.set(quarter, day);
      return day;
    },
  };
}
