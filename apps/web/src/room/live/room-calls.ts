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
import { stopTodayOnLeave } from '../../shared/today/today.ts';

/** The room id of a path segment, or null for an invalid one. */
export function roomIdFrom(segment: string | undefined): RoomId | null {
  if (segment === undefined || !/^[1-9]\d{0,15}$/u.test(segment)) return null;
  const roomId = RoomId.safeParse(Number(segment));
  return roomId.success ? roomId.data : null;
}

/** How full a room is. */
export type RoomFill = Pick<RouteReply<typeof checkEntry>, 'learners' | 'capacity'>;

/** How full a room is, or why the learner cannot enter it; where neither is known, entering decides. */
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

/**
 * Asks for a room with a free seat, before the seat elsewhere is given up for it.
 * @throws ApiError with the reason if there is none, and where that is not known.
 */
export async function assertRoomHasSeat(roomId: RoomId): Promise<void> {
  const fallback = translate('room.enterFailed');
  await call(checkEntry, { params: { roomId } }, { fallback }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.errorName === 'seatedElsewhere')) throw error;
  });
}

/** Takes a seat: in the named room, else in the one that the API finds best. */
export function enterStudyRoom(
  userId: UserId,
  roomId?: RoomId,
): Promise<RouteReply<typeof enterRoom>> {
  const fallback = translate('room.enterFailed');
  return call(enterRoom, { query: { userId, roomId } }, { fallback });
}

/**
 * Gives up the seat; today's focus stops at once. The request outlives the page, so that closing the page
 * also leaves the room.
 */
export function leaveStudyRoom(userId: UserId): Promise<void> {
  const fallback = translate('room.leaveFailed');
  return stopTodayOnLeave(userId, async () => {
    await call(leaveRoom, { query: { userId } }, { fallback, keepalive: true });
  });
}

/** A media token for the seat in this room. */
export function fetchMediaToken(userId: UserId, roomId: RoomId): Promise<MediaAccess> {
  return call(createMediaToken, { body: { roomName: String(roomId), identity: String(userId) } });
}

/** Errors that exclude a seat in this room until the learner decides. */
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
  'roomOfGroup',
  'notYourself',
  'userNotFound',
  'unauthorized',
  'sessionEnded',
]);

/** The permanent refusal in a failed entry, or null when another try makes sense. */
export function entryRefusal(error: unknown): Refusal | null {
  if (!(error instanceof ApiError)) return null;
  const isFinal = finalAnswers.has(error.errorName) || error.status === 400;
  return isFinal ? { errorName: error.errorName, message: error.message } : null;
}

/** Whether the API answered that the caller does not sit in the room. */
export function isNotSeated(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'notSeated';
}
