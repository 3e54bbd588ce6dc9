import { currentLanguage, type Translate } from './texts.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** A duration in hours and minutes, as it is counted: begun minutes do not count (specification §9). */
export function durationText(t: Translate, ms: number): string {
  const wholeMinutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  const hours = Math.floor(wholeMinutes / HOUR_MINUTES);
  const minutes = wholeMinutes % HOUR_MINUTES;
  if (wholeMinutes === 0 && ms > 0) return t('duration.underMinute');
  if (hours === 0) return t('duration.minutes', { minutes });
  const hoursText = hours.toLocaleString(currentLanguage());
  if (minutes === 0) return t('duration.hours', { hours: hoursText });
  return t('duration.both', { hours: hoursText, minutes });
}
