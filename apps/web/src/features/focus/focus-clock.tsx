import { type FocusClock, tileMs } from '@mogakgong/contract';
import { clockText, useSecond } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTitlePart } from '../../shared/ui/page-title.ts';

interface FocusClockProps {
  readonly clock: FocusClock;
}

function useClockText(clock: FocusClock): string {
  return useSecond((nowMs) => clockText(tileMs(clock, nowMs)));
}

/** A learner's clock as hours:minutes:seconds (specification §4), in step with all others on the page. */
export function FocusClockText({ clock }: FocusClockProps) {
  return <span role="timer">{useClockText(clock)}</span>;
}

/** One's own clock in the title of the browser's tab; a status that is not focus is named. */
export function FocusSign({ clock }: FocusClockProps) {
  const { t } = useTranslation();
  const time = useClockText(clock);
  useTitlePart('sign', clock.status === 'focus' ? time : `${t(`status.${clock.status}`)} ${time}`);
  return null;
}
