import { type FocusClock, tileMs } from '@mogakgong/contract';
import { clockText, useSecond } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { usePageSign } from '../../shared/ui/page-title.ts';

/** One's own clock in the title of the browser's tab; what is no focus is named. */
export function FocusSign({ clock }: { readonly clock: FocusClock }) {
  const { t } = useTranslation();
  const time = useSecond((nowMs) => clockText(tileMs(clock, nowMs)));
  usePageSign(clock.status === 'focus' ? time : `${t(`status.${clock.status}`)} ${time}`);
  return null;
}
