import { type Today, todayMs } from '@mogakgong/contract';
import { clockText, useSecond } from '../../shared/clock/index.ts';

/** What was focused today, to the second, running on while the learner focuses. */
export function TodayClock({ today }: { readonly today: Today }) {
  const text = useSecond((nowMs) => clockText(todayMs(today, nowMs)));
  return (
    <span role="timer" className="tabular-nums">
      {text}
    </span>
  );
}
