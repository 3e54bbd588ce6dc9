import type { ChatMessage } from '@mogakgong/contract';
import { numberOf } from './message-list.ts';
import type { OutgoingMessage } from './outbox.ts';

/** A message as it is drawn (specification §3, display). */
export interface DisplayMessage {
  readonly senderId: number;
  readonly studyroomId: number;
  readonly nickname: string;
  readonly profileImage: string;
  readonly message: string;
  /** Epoch ms. */
  readonly timestamp: number;
  readonly isMyMessage: boolean;
  /** Belongs to the run of the message above: same sender, within a minute. */
  readonly isContinuous: boolean;
}

export type ChatRow =
  | { readonly kind: 'day'; readonly key: string; readonly timestamp: number }
  /** Messages before this row may be missing. */
  | { readonly kind: 'gap'; readonly key: string }
  /** What follows is new to the learner. */
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'blocked';
      readonly key: string;
      readonly senderId: number;
      readonly nickname: string;
    }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: DisplayMessage;
      /** The time is shown at the end of a run's minute. */
      readonly isLastOfRun: boolean;
      /** There while the server has not confirmed an own message. */
      readonly outgoing: OutgoingMessage | null;
    };

/** Rows that are drawn, or left out while out of sight, together. */
export interface RowChunk {
  readonly key: string;
  readonly rows: readonly ChatRow[];
}

interface RowsInput {
  readonly messages: readonly ChatMessage[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly self: { readonly userId: number; readonly roomId: number };
  readonly blockedIds: ReadonlySet<number>;
  readonly gapBeforeId: string | null;
  /** Number of the last message before the "new" marker; null without one. */
  readonly newAfter: number | null;
}

const RUN_MS = 60_000;
const CHUNK_MESSAGES = 25;

/** A message on its way into rows: which chunk it belongs to, and what stands before it. */
interface Item {
  readonly key: string;
  readonly chunk: string;
  readonly message: Omit<DisplayMessage, 'isContinuous'>;
  readonly isBlocked: boolean;
  readonly outgoing: OutgoingMessage | null;
  readonly isAfterGap: boolean;
  readonly isFirstNew: boolean;
}

/** Local days: a separator stands between two of them. */
function dayOf(timestamp: number): string {
  return new Date(timestamp).toDateString();
}

/**
 * Turns the log and what is on its way into rows: days, runs of one sender, the markers, and blocked
 * learners' messages as one placeholder a stretch (specification §4). Chunks keep their keys when
 * older messages come before them.
 */
export function chatRows(input: RowsInput): readonly RowChunk[] {
  const chunks: { key: string; rows: ChatRow[] }[] = [];
  const items = itemsOf(input);
  for (const [index, item] of items.entries()) {
    let chunk = chunks.at(-1);
    if (chunk?.key !== item.chunk) {
      chunk = { key: item.chunk, rows: [] };
      chunks.push(chunk);
    }
    chunk.rows.push(...rowsOf(item, items[index - 1], items[index + 1]));
  }
  return chunks;
}

function rowsOf(item: Item, before: Item | undefined, after: Item | undefined): ChatRow[] {
  const rows: ChatRow[] = [];
  const { message, key } = item;
  const { timestamp } = message;
  if (item.isAfterGap) rows.push({ kind: 'gap', key: `gap-${key}` });
  if (before === undefined || dayOf(before.message.timestamp) !== dayOf(timestamp)) {
    rows.push({ kind: 'day', key: `day-${key}`, timestamp });
  }
  if (item.isFirstNew) rows.push({ kind: 'new', key: 'new' });
  if (item.isBlocked) {
    const isRepeat = rows.length === 0 && before?.isBlocked === true;
    const { senderId, nickname } = message;
    if (!isRepeat) rows.push({ kind: 'blocked', key, senderId, nickname });
    return rows;
  }
  rows.push({
    kind: 'message',
    key,
    message: { ...message, isContinuous: rows.length === 0 && isOneRun(before, item) },
    isLastOfRun: after?.isFirstNew === true || !isOneRun(item, after),
    outgoing: item.outgoing,
  });
  return rows;
}

function isOneRun(before: Item | undefined, item: Item | undefined): boolean {
  if (before === undefined || item === undefined || before.isBlocked || item.isBlocked)
    return false;
  const apartMs = item.message.timestamp - before.message.timestamp;
  const isClose =
    apartMs < RUN_MS && dayOf(item.message.timestamp) === dayOf(before.message.timestamp);
  return isClose && item.message.senderId === before.message.senderId;
}

function itemsOf(input: RowsInput): Item[] {
  const { self, blockedIds, newAfter } = input;
  let hasNew = newAfter === null;
  const logged = input.messages.map((message): Item => {
    const number = numberOf(message);
    const isMyMessage = message.senderId === self.userId;
    const isFirstNew = !hasNew && number > (newAfter ?? 0) && !isMyMessage;
    hasNew ||= isFirstNew;
    return {
      key: message.id,
      chunk: `${message.id.slice(0, message.id.lastIndexOf('-'))}-${Math.floor(number / CHUNK_MESSAGES)}`,
      message: {
        senderId: message.senderId,
        studyroomId: message.roomId,
        nickname: message.nickname,
        profileImage: message.profileImage,
        message: message.content,
        timestamp: Date.parse(message.timestamp),
        isMyMessage,
      },
      isBlocked: !isMyMessage && blockedIds.has(message.senderId),
      outgoing: null,
      isAfterGap: message.id === input.gapBeforeId,
      isFirstNew,
    };
  });
  const outgoing = input.outgoing.map(
    (entry): Item => ({
      key: entry.clientId,
      chunk: 'outgoing',
      message: {
        senderId: self.userId,
        studyroomId: self.roomId,
        nickname: '',
        profileImage: '',
        message: entry.content,
        timestamp: entry.writtenAtMs,
        isMyMessage: true,
      },
      isBlocked: false,
      outgoing: entry,
      isAfterGap: false,
      isFirstNew: false,
    }),
  );
  return [...logged, ...outgoing];
}

/** Messages of others that the learner has not seen; those of blocked learners do not count. */
export function unreadMessages(
  messages: readonly ChatMessage[],
  readNumber: number,
  selfId: number,
  blockedIds: ReadonlySet<number>,
): readonly ChatMessage[] {
  return messages.filter(
    (message) =>
      numberOf(message) > readNumber &&
      message.senderId !== selfId &&
      !blockedIds.has(message.senderId),
  );
}
