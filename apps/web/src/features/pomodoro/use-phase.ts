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
  const text = useSecond((nowMs) => {
    const { kind, round, endsAtMs } = pomodoroPhase(schedule, nowMs);
    return `${kind} ${round} ${remainingText(endsAtMs - nowMs)}`;
  });
  const [kind, round, left = ''] = text.split(' ');
  return { kind: kind === 'break' ? 'break' : 'focus', round: Number(round), left };
}
