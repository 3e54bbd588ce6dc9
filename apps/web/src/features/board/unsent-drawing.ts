import { BoardElement, RoomId, type UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import { type StorageKey, storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

/** A learner's drawings on one board that the server may not have. */
const UnsentDrawing = z.object({
  roomId: RoomId,
  /** The board: those of two gatherings have two generations. */
  generation: z.number(),
  changes: z.array(z.object({ element: BoardElement, isNew: z.boolean() })),
});
export type UnsentDrawing = z.infer<typeof UnsentDrawing>;

const keyOf = (userId: UserId): StorageKey => `${storageKeys.unsentDrawing}.${userId}`;

/** Keeps it in this tab, over a reload. */
export function keepUnsent(userId: UserId, drawing: UnsentDrawing | null): void {
  const value = drawing?.changes.length ? JSON.stringify(drawing) : null;
  writeStored(keyOf(userId), value, 'tab');
}

/** The drawings that were kept for a room, or null; they are not kept any more. */
export function takeUnsent(userId: UserId, roomId: RoomId): UnsentDrawing | null {
  const text = readStored(keyOf(userId), 'tab');
  if (text === null) return null;
  writeStored(keyOf(userId), null, 'tab');
  try {
    const drawing = UnsentDrawing.parse(JSON.parse(text));
    return drawing.roomId === roomId ? drawing : null;
  } catch {
    return null;
  }
}
