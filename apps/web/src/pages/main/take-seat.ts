import type { RoomId, UserId } from '@mogakgong/contract';
import { enterStudyRoom, leaveStudyRoom } from '../../features/rooms/index.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';

/** The press on "enter" that counts: the last one. */
let lastWish: AbortSignal | undefined;
/** A seat that is being given up: the next one is asked for after that. */
let givingUp: Promise<void> = Promise.resolve();

/**
 * Takes the best free seat. The request itself is never broken off, because the API may have heard
 * it: a seat that comes after `wish` was aborted is given up again, and the answer is null.
 */
export async function takeSeat(userId: UserId, wish: AbortSignal): Promise<RoomId | null> {
  lastWish = wish;
  await givingUp;
  if (wish.aborted) return null;
  const roomId = await enterStudyRoom(userId);
  if (!wish.aborted) return roomId;
  const isWantedAgain = lastWish !== wish || window.location.pathname === studyRoomPath(roomId);
  if (!isWantedAgain) {
    givingUp = leaveStudyRoom(userId).catch(() => undefined);
  }
  return null;
}
