import {
  checkEntry,
  createMediaToken,
  enterRoom,
  leaveRoom,
  type MediaAccess,
  RoomId,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { ApiError, call, type Refusal } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { expectLeaving } from '../../shared/today/today.ts';

/** The room named by a path segment, or null when no room can be called that. */
export function roomIdFrom(segment: string | undefined): RoomId | null {
  if (segment === undefined || !/^[1-9]\d{0,15}$/u.test(segment)) return null;
  const roomId = RoomId.safeParse(Number(segment));
  return roomId.success ? roomId.data : null;
}

/** How full a room is. */
export type RoomFill = Pick<RouteReply<typeof checkEntry>, 'learners' | 'capacity'>;

/** How full a room is, or why the learner cannot enter it; where neither is known, entering will tell. */
export async function checkStudyRoom(
  roomId: RoomId,
  signal: AbortSignal,
): Promise<{ readonly fill?: RoomFill; readonly refusal?: Refusal | null }> {
  const fallback = translate('room.enterFailed');
  try {
    return { fill: await call(checkEntry, { params: { roomId } }, { fallback, signal }) };
  } catch (error) {
    return { refusal: entryRefusal(error) };
  }
}

/** Takes a seat: in the named room, else where the API finds the best one. */
export function enterStudyRoom(
  userId: UserId,
  roomId?: RoomId,
): Promise<RouteReply<typeof enterRoom>> {
  const fallback = translate('room.enterFailed');
  return call(enterRoom, { query: { userId, roomId } }, { fallback });
}

/**
 * Gives up the seat; today's focus stands still at once. The request outlives the page, so that
 * leaving by closing works too.
 */
export function leaveStudyRoom(userId: UserId): Promise<void> {
  const fallback = translate('room.leaveFailed');
  return expectLeaving(userId, async () => {
    await call(leaveRoom, { query: { userId } }, { fallback, keepalive: true });
  });
}

/** A media token for the seat in this room. */
export function fetchMediaToken(userId: UserId, roomId: RoomId): Promise<MediaAccess> {
  return call(createMediaToken, { body: { roomName: String(roomId), identity: String(userId) } });
}

/** Answers after which a seat in this room is out of the question until the learner decides. */
const finalAnswers = new Set<string | null>([
  'roomFull',
  'blockedPersonInRoom',
  'removedFromRoom',
  'accountSuspended',
  'seatedElsewhere',
  'roomNotFound',
  'roomClosed',
  'removedByHost',
  'approvalNeeded',
  'invitationNeeded',
  'notYourself',
  'userNotFound',
  'unauthorized',
  'sessionEnded',
]);

/** The final no in a failed entering, or null when trying again makes sense. */
export function entryRefusal(error: unknown): Refusal | null {
  if (!(error instanceof ApiError)) return null;
  const isFinal = finalAnswers.has(error.errorName) || error.status === 400;
  return isFinal ? { errorName: error.errorName, message: error.message } : null;
}

/** True when the API answers that the caller does not sit in the room. */
export function isNotSeated(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'notSeated';
}
