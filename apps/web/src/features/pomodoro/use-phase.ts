import { type PomodoroSchedule, pomodoroPhase } from '@mogakgong/contract';
import { remainingText, useSecond } from '../../shared/clock/index.ts';

interface ShownPhase {
  readonly kind: 'focus' | 'break';
  readonly round: number;
  /** What is left of it, minutes:seconds. */
  readonly left: string;
}

/** The phase that a schedule is in, by the server's time. */
export function usePhase(schedule: PomodoroSchedule): ShownPhase {
  const phaseAt = (nowMs: number) => pomodoroPhase(schedule, nowMs);
  return {
    kind: useSecond((nowMs) => phaseAt(nowMs).kind),
    round: useSecond((nowMs) => phaseAt(nowMs).round),
    left: useSecond((nowMs) => remainingText(phaseAt(nowMs).endsAtMs - nowMs)),
  };
}
