import { type Today, todayMs } from '@mogakgong/contract';
import { clockText, useSecond } from '../../shared/clock/index.ts';

/** Today's focus to the second, advancing while the learner focuses. */
export function TodayClock({ today }: { readonly today: Today }) {
  const text = useSecond((nowMs) => clockText(todayMs(today, nowMs)));
  return (
    <span role="timer" className="tabular-nums">
      {text}
    </span>
  );
}
