import type { LogMessage } from './chat-log.ts';
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

export interface MessageRow extends DisplayMessage {
  readonly kind: 'message';
  readonly key: string;
  /** The time is shown at the end of a run's minute. */
  readonly isLastOfRun: boolean;
  /** There while the server has not confirmed an own message. */
  readonly outgoing: OutgoingMessage | null;
}

/** A row has no objects but `outgoing`, so that a shallow comparison finds equal rows. */
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
  | MessageRow;

/** Rows that are drawn, or left out while out of sight, together. */
export interface RowChunk {
  readonly key: string;
  readonly rows: readonly ChatRow[];
}

interface RowsInput {
  readonly messages: readonly LogMessage[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly self: { readonly userId: number; readonly roomId: number };
  readonly blockedIds: ReadonlySet<number>;
  readonly gapBeforeId: string | null;
  /** Number of the last message before the "new" marker; null without one. */
  readonly newAfter: number | null;
  /** The calendar day of a moment in epoch ms: a separator stands between two of them. */
  readonly dayOf: (timestamp: number) => string;
}

const RUN_MS = 60_000;
const CHUNK_MESSAGES = 25;

/** A message on its way into rows: which chunk it belongs to, and what stands before it. */
interface Item {
  readonly row: Omit<MessageRow, 'isContinuous' | 'isLastOfRun'>;
  readonly chunk: string;
  readonly day: string;
  readonly isBlocked: boolean;
  readonly isAfterGap: boolean;
  readonly isFirstNew: boolean;
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
  const { row, day, isBlocked } = item;
  const { key, timestamp, senderId, nickname } = row;
  if (item.isAfterGap) rows.push({ kind: 'gap', key: `gap-${key}` });
  if (before?.day !== day) rows.push({ kind: 'day', key: `day-${key}`, timestamp });
  if (item.isFirstNew) rows.push({ kind: 'new', key: 'new' });
  if (isBlocked) {
    const isRepeat = rows.length === 0 && before?.isBlocked === true;
    if (!isRepeat) rows.push({ kind: 'blocked', key, senderId, nickname });
    return rows;
  }
  rows.push({
    ...row,
    isContinuous: rows.length === 0 && isOneRun(before, item),
    isLastOfRun: after?.isFirstNew === true || !isOneRun(item, after),
  });
  return rows;
}

function isOneRun(before: Item | undefined, item: Item | undefined): boolean {
  if (before === undefined || item === undefined || before.isBlocked || item.isBlocked)
    return false;
  const isClose = item.row.timestamp - before.row.timestamp < RUN_MS && item.day === before.day;
  return isClose && item.row.senderId === before.row.senderId;
}

function itemsOf(input: RowsInput): Item[] {
  const { self, blockedIds, newAfter, dayOf } = input;
  let hasNew = newAfter === null;
  const logged = input.messages.map((message): Item => {
    const { id, number, senderId, sentAtMs } = message;
    const isMyMessage = senderId === self.userId;
    const isFirstNew = !hasNew && number > (newAfter ?? 0) && !isMyMessage;
    hasNew ||= isFirstNew;
    return {
      row: {
        kind: 'message',
        key: id,
        senderId,
        studyroomId: message.roomId,
        nickname: message.nickname,
        profileImage: message.profileImage,
        message: message.content,
        timestamp: sentAtMs,
        isMyMessage,
        outgoing: null,
      },
      chunk: `${message.epoch}-${Math.floor(number / CHUNK_MESSAGES)}`,
      day: dayOf(sentAtMs),
      isBlocked: !isMyMessage && blockedIds.has(senderId),
      isAfterGap: id === input.gapBeforeId,
      isFirstNew,
    };
  });
  const outgoing = input.outgoing.map(
    (entry): Item => ({
      row: {
        kind: 'message',
        key: entry.clientId,
        senderId: self.userId,
        studyroomId: self.roomId,
        nickname: '',
        profileImage: '',
        message: entry.content,
        timestamp: entry.writtenAtMs,
        isMyMessage: true,
        outgoing: entry,
      },
      chunk: 'outgoing',
      day: dayOf(entry.writtenAtMs),
      isBlocked: false,
      isAfterGap: false,
      isFirstNew: false,
    }),
  );
  return [...logged, ...outgoing];
}
