import * as z from 'zod/mini';
import { RoomId } from '../ids.ts';
import { ServerTimeMs } from '../server-time.ts';

export const POMODORO_FOCUS_MAX_MINUTES = 180;
export const POMODORO_BREAK_MAX_MINUTES = 60;

export const PomodoroLengths = z.object({
  focusMinutes: z.int().check(z.gte(1), z.lte(POMODORO_FOCUS_MAX_MINUTES)),
  breakMinutes: z.int().check(z.gte(1), z.lte(POMODORO_BREAK_MAX_MINUTES)),
});
export type PomodoroLengths = z.infer<typeof PomodoroLengths>;

/** The preset lengths. */
export const pomodoroPresets = [
  { focusMinutes: 25, breakMinutes: 5 },
  { focusMinutes: 50, breakMinutes: 10 },
] as const satisfies readonly PomodoroLengths[];

/** A running schedule, by the server's time. */
export const PomodoroSchedule = z.extend(PomodoroLengths, {
  /** Start of the first focus phase, from which all phases follow. */
  startedAtMs: ServerTimeMs,
});
export type PomodoroSchedule = z.infer<typeof PomodoroSchedule>;

/** A schedule that a learner's timer follows (decision 137). */
export const FollowedSchedule = z.extend(PomodoroSchedule, {
  /** When it was ended or replaced for everybody: no later phase changes the timer. */
  endedAtMs: z.optional(ServerTimeMs),
});
export type FollowedSchedule = z.infer<typeof FollowedSchedule>;

/** A timer that changes with the phases of a schedule. */
export interface FollowingTimer {
  readonly schedule: FollowedSchedule;
  readonly isFocusing: boolean;
  /** Since when; never before the learner joined. */
  readonly sinceMs: number;
}

const lengthsMs = ({ focusMinutes, breakMinutes }: PomodoroLengths) => ({
  focusMs: focusMinutes * 60_000,
  breakMs: breakMinutes * 60_000,
  roundMs: (focusMinutes + breakMinutes) * 60_000,
});

/**
 * When the next phase changes a following timer: a break pauses it, focus resumes it. A learner who focuses in
 * a break, because they resumed by hand, goes on until the next break. The end of the schedule is not regarded.
 */
export function phaseChangeMs({ schedule, isFocusing, sinceMs }: FollowingTimer): number {
  const { focusMs, roundMs } = lengthsMs(schedule);
  const firstMs = schedule.startedAtMs + (isFocusing ? focusMs : 0);
  return firstMs + roundMs * (Math.floor((sinceMs - firstMs) / roundMs) + 1);
}

/**
 * A following timer at a later moment, after all phases up to it.
 * @returns also the focus between the two beginnings, in ms.
 */
export function timerAt(
  timer: FollowingTimer,
  nowMs: number,
): Omit<FollowingTimer, 'schedule'> & { readonly focusMs: number } {
  const { schedule, isFocusing, sinceMs } = timer;
  const { focusMs, breakMs, roundMs } = lengthsMs(schedule);
  const changeMs = phaseChangeMs(timer);
  const passedMs = Math.min(nowMs, schedule.endedAtMs ?? nowMs) - changeMs;
  if (passedMs < 0) return { isFocusing, sinceMs, focusMs: 0 };
  const rounds = Math.floor(passedMs / roundMs);
  const beforeMs = (isFocusing ? changeMs - sinceMs : 0) + rounds * focusMs;
  const roundSinceMs = changeMs + rounds * roundMs;
  const otherMs = isFocusing ? breakMs : focusMs;
  if (passedMs % roundMs < otherMs) {
    return { isFocusing: !isFocusing, sinceMs: roundSinceMs, focusMs: beforeMs };
  }
  const fromOtherMs = isFocusing ? 0 : focusMs;
  return { isFocusing, sinceMs: roundSinceMs + otherMs, focusMs: beforeMs + fromOtherMs };
}

/** Focus of a following timer from its beginning to a later moment, in ms. */
export function followedFocusMs(timer: FollowingTimer, nowMs: number): number {
  const { isFocusing, sinceMs, focusMs } = timerAt(timer, nowMs);
  return focusMs + (isFocusing ? Math.max(0, nowMs - sinceMs) : 0);
}

/** A room's schedule. Following it is optional. */
export const RoomPomodoro = z.object({
  roomId: RoomId,
  /** Null while the room has none. */
  schedule: z.nullable(PomodoroSchedule),
  /**
   * Whether the caller may change and end it: its starter, the host, and everybody once its starter has left.
   * Optional: an API of the previous version does not send it.
   */
  mayEnd: z.optional(z.boolean()),
  serverNowMs: ServerTimeMs,
});
export type RoomPomodoro = z.infer<typeof RoomPomodoro>;

export interface PomodoroPhase {
  readonly kind: 'focus' | 'break';
  /** Counts the focus phases from 1. */
  readonly round: number;
  readonly endsAtMs: number;
}

/** The phase of a schedule at a moment of the server's time. */
export function pomodoroPhase(schedule: PomodoroSchedule, serverNowMs: number): PomodoroPhase {
  const { focusMs, roundMs } = lengthsMs(schedule);
  const elapsedMs = Math.max(0, serverNowMs - schedule.startedAtMs);
  const before = Math.floor(elapsedMs / roundMs);
  const beganAtMs = schedule.startedAtMs + before * roundMs;
  const isFocus = elapsedMs - before * roundMs < focusMs;
  return {
    kind: isFocus ? 'focus' : 'break',
    round: before + 1,
    endsAtMs: beganAtMs + (isFocus ? focusMs : roundMs),
  };
}
