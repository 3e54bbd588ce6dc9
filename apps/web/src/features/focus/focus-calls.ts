import {
  awayTimer,
  type FocusSettings,
  pauseTimer,
  putFocusSettings,
  type RoomId,
  resumeTimer,
  startTimer,
  type TimerMove,
  type TimerReply,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { answerInTime } from '../../shared/clock/index.ts';

const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** Moves the learner's own timer (specification §7). */
export function moveTimer(move: TimerMove, userId: UserId, roomId: RoomId): Promise<TimerReply> {
  return answerInTime(() => call(routes[move], { body: { userId, roomId } }));
}

/** Changes how the learner's days are counted; throws `ApiError` with `fallback` as the last text. */
export function saveFocusSettings(
  settings: FocusSettings,
  fallback: string,
): Promise<FocusSettings> {
  return call(putFocusSettings, { body: settings }, { fallback });
}
