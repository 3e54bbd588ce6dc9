import { type RoomId, ServerTimeMs, SubjectId, timerMoves, type UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

const press = {
  /** The idempotency key: the server makes a resent press only once. */
  id: z.string(),
  /** The time of the press by the server's clock. */
  atMs: ServerTimeMs,
};
/** A press of the timer, or a choice of a subject, that the server has not confirmed. */
const Press = z.union([
  z.object({ ...press, move: z.enum(timerMoves) }),
  z.object({ ...press, subjectId: z.nullable(SubjectId) }),
]);
export type Press = z.infer<typeof Press>;
const Presses = z.array(Press);

/** A seat is given up after this long without a sign of life, and its presses with it. */
const KEPT_MS = 10 * 60_000;

const keyOf = (userId: UserId, roomId: RoomId) =>
  `${storageKeys.unsentPresses}.${userId}.${roomId}` as const;

/** The learner's unconfirmed presses in their seat, oldest first; kept over a reload. */
export function readPresses(userId: UserId, roomId: RoomId, nowMs: number): readonly Press[] {
  try {
    const stored = Presses.parse(JSON.parse(readStored(keyOf(userId, roomId), 'tab') ?? ''));
    return stored.filter(({ atMs }) => nowMs - atMs < KEPT_MS);
  } catch {
    return [];
  }
}

export function storePresses(userId: UserId, roomId: RoomId, presses: readonly Press[]): void {
  const value = presses.length === 0 ? null : JSON.stringify(presses);
  writeStored(keyOf(userId, roomId), value, 'tab');
}
