import type { RoomId } from '@mogakgong/contract';
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
  readonly lost: number;
  readonly duplicated: number;
  /** Places at which somebody saw another order than the database, or a hole. */
  readonly outOfOrder: number;
  /** Messages of another room. */
  readonly foreign: number;
}

/** Holds what every learner saw against what was acknowledged and what was stored. */
export function judge(chatters: readonly Chatter[], stored: readonly StoredText[]): Verdict {
  const rooms = Map.groupBy(stored, ({ roomId }) => roomId);
  let [acknowledged, lost, duplicated, outOfOrder, foreign] = [0, 0, 0, 0, 0];
  for (const [roomId, ofRoom] of rooms) {
    const order = ofRoom.toSorted((a, b) => a.number - b.number).map(({ content }) => content);
    duplicated += order.length - new Set(order).size;
    outOfOrder += ofRoom.filter(({ number }) => number < 1 || number > order.length).length;
    const inRoom = chatters.filter((chatter) => chatter.options.roomId === roomId);
    const sentHere = inRoom.flatMap((chatter) => [...chatter.acknowledged]);
    acknowledged += sentHere.length;
    const everywhere = new Set(order);
    lost += sentHere.filter((text) => !everywhere.has(text)).length;
    for (const chatter of inRoom) {
      const seen = chatter.log.map(({ content }) => content);
      const seenOnce = new Set(seen);
      lost += sentHere.filter((text) => !seenOnce.has(text)).length;
      duplicated += chatter.complaints.duplicated + seen.length - seenOnce.size;
      foreign += chatter.complaints.foreign;
      outOfOrder += chatter.complaints.outOfOrder;
      outOfOrder += seen.filter((text, index) => text !== order[index]).length;
    }
  }
  return { acknowledged, stored: stored.length, lost, duplicated, outOfOrder, foreign };
}
