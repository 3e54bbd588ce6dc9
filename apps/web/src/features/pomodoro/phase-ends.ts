import { type PomodoroPhase, type PomodoroSchedule, pomodoroPhase } from '@mogakgong/contract';

/**
 * A signal later than this would be about something that is over: the computer slept. Browsers let a
 * hidden page tick once a minute only, which is not too late.
 */
const LATEST_SIGNAL_MS = 90_000;

/**
 * Watches a schedule second by second and answers the phase that has just ended, once. What was
 * missed for longer is not told any more.
 */
export class PhaseEnds {
  #schedule: PomodoroSchedule | null = null;
  #last: PomodoroPhase | null = null;

  /** The phase that ended since it was last asked, or null. */
  endedPhase(schedule: PomodoroSchedule | null, serverNowMs: number): PomodoroPhase | null {
    const isSame = isSameSchedule(schedule, this.#schedule);
    const before = isSame ? this.#last : null;
    this.#schedule = schedule;
    this.#last = schedule && pomodoroPhase(schedule, serverNowMs);
    if (before === null || this.#last === null) return null;
    const sinceEndMs = serverNowMs - before.endsAtMs;
    const hasEnded = this.#last.endsAtMs > before.endsAtMs;
    return hasEnded && sinceEndMs <= LATEST_SIGNAL_MS ? before : null;
  }
}

/** Schedules come anew with every snapshot of the room. */
function isSameSchedule(a: PomodoroSchedule | null, b: PomodoroSchedule | null): boolean {
  return (
    a?.startedAtMs === b?.startedAtMs &&
    a?.focusMinutes === b?.focusMinutes &&
    a?.breakMinutes === b?.breakMinutes
  );
}
