import { parseChatMessageId, type RoomId } from '@mogakgong/contract';
import type { Chatter } from './chatter.ts';

/** A message as the database has it. */
export interface StoredText {
  readonly roomId: RoomId;
  readonly number: number;
  readonly content: string;
}

export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  /** Acknowledged messages that the database, or somebody in the room, does not have. */
  lost: number;
  duplicated: number;
  /** Positions where a learner saw another order than the database, or a gap. */
  outOfOrder: number;
  /** Messages of another room. */
  foreign: number;
  /** Receipts that name another message than the one they answer. */
  misnamed: number;
}

/** Compares what every learner saw, in every room, with what was acknowledged and stored. */
export function judge(chatters: readonly Chatter[], stored: readonly StoredText[]): Verdict {
  const verdict: Verdict = {
    acknowledged: chatters.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0),
    stored: stored.length,
    lost: 0,
    duplicated: 0,
    outOfOrder: 0,
    foreign: 0,
    misnamed: 0,
  };
  const storedIn = Map.groupBy(stored, ({ roomId }) => roomId);
  const chattersIn = Map.groupBy(chatters, ({ options }) => options.roomId);
  for (const roomId of new Set([...storedIn.keys(), ...chattersIn.keys()])) {
    judgeRoom(chattersIn.get(roomId) ?? [], storedIn.get(roomId) ?? [], verdict);
  }
  return verdict;
}

/** Whether there was something to check, and no fault. */
export function isFlawless(verdict: Verdict): boolean {
  const { acknowledged, lost, duplicated, outOfOrder, foreign, misnamed } = verdict;
  return acknowledged > 0 && lost + duplicated + outOfOrder + foreign + misnamed === 0;
}

function judgeRoom(
  inRoom: readonly Chatter[],
  stored: readonly StoredText[],
  verdict: Verdict,
): void {
  const order = stored.toSorted((a, b) => a.number - b.number).map(({ content }) => content);
  const everywhere = new Set(order);
  verdict.duplicated += order.length - everywhere.size;
  verdict.outOfOrder += stored.filter(({ number }) => number < 1 || number > order.length).length;
  const acknowledged = inRoom.flatMap((chatter) => [...chatter.acknowledged]);
  verdict.lost += acknowledged.filter(([text]) => !everywhere.has(text)).length;
  verdict.misnamed += acknowledged.filter(
    ([text, id]) => order[(parseChatMessageId(id)?.number ?? 0) - 1] !== text,
  ).length;
  for (const { log, complaints } of inRoom) {
    const seen = log.map(({ content }) => content);
    const seenOnce = new Set(seen);
    verdict.lost += acknowledged.filter(([text]) => !seenOnce.has(text)).length;
    verdict.duplicated += complaints.duplicated + seen.length - seenOnce.size;
    verdict.foreign += complaints.foreign;
    verdict.outOfOrder += complaints.outOfOrder;
    verdict.outOfOrder += seen.filter((text, index) => text !== order[index]).length;
  }
}
