import * as z from 'zod/mini';
import { ServerTimeMs } from '../focus/clock.ts';
import { RoomId } from '../ids.ts';

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

/** A room's schedule. Following it is optional, and it changes nobody's timer. */
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
  const focusMs = schedule.focusMinutes * 60_000;
  const roundMs = focusMs + schedule.breakMinutes * 60_000;
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
