import {
  deletePomodoro,
  type PomodoroLengths,
  putPomodoro,
  type RoomId,
  type RoomPomodoro,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';

/** Puts a schedule up for the room; throws `ApiError` with `fallback` as the last text. */
export function startPomodoro(
  roomId: RoomId,
  lengths: PomodoroLengths,
  fallback: string,
): Promise<RoomPomodoro> {
  return call(putPomodoro, { params: { roomId }, body: lengths }, { fallback });
}

/** Takes it down. */
export function stopPomodoro(roomId: RoomId, fallback: string): Promise<RoomPomodoro> {
  return call(deletePomodoro, { params: { roomId } }, { fallback });
}
