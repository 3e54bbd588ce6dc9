import {
  awayTimer,
  type FocusSettings,
  getFocusSettings,
  getToday,
  pauseTimer,
  putFocusSettings,
  type RoomId,
  resumeTimer,
  startTimer,
  type TimerMove,
  type TimerReply,
  type Today,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { noteAnsweredTime } from '../../shared/clock/index.ts';

const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** Takes the server's time from an answer on its way to the caller. */
async function timed<T extends { readonly serverNowMs: number }>(work: () => Promise<T>) {
  const sentAtMs = Date.now();
  const reply = await work();
  noteAnsweredTime(reply.serverNowMs, sentAtMs);
  return reply;
}

/** Moves the learner's own timer (specification §7). */
export function moveTimer(move: TimerMove, userId: UserId, roomId: RoomId): Promise<TimerReply> {
  return timed(() => call(routes[move], { body: { userId, roomId } }));
}

/** What the learner studied today. */
export function fetchToday(): Promise<Today> {
  return timed(() => call(getToday, {}));
}

/** How the learner's days are counted, and whether focus begins on entering. */
export function fetchFocusSettings(): Promise<FocusSettings> {
  return call(getFocusSettings, {});
}

/** Changes them; throws `ApiError` with `fallback` as the last text. */
export function saveFocusSettings(
  settings: FocusSettings,
  fallback: string,
): Promise<FocusSettings> {
  return call(putFocusSettings, { body: settings }, { fallback });
}
