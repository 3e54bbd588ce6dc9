import { type FocusClock, tileMs } from '@mogakgong/contract';
import { clockText, useSecond } from '../../shared/clock/index.ts';

/** A learner's clock as hours:minutes:seconds (specification §4), in step with all others on the page. */
export function FocusClockText({ clock }: { readonly clock: FocusClock }) {
  const text = useSecond((nowMs) => clockText(tileMs(clock, nowMs)));
  return <span role="timer">{text}</span>;
}
