import { MINUTE_MS, SECOND_MS } from '@mogakgong/contract';
import { currentLanguage, type Translate } from './texts.ts';

const HOUR_MINUTES = 60;

/**
 * A duration in hours and minutes, rounded down (specification §9). Below a minute in seconds, so that a
 * first short visit is not lost.
 */
export function durationText(t: Translate, ms: number): string {
  const wholeMinutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  const hours = Math.floor(wholeMinutes / HOUR_MINUTES);
  const minutes = wholeMinutes % HOUR_MINUTES;
  const seconds = Math.floor(ms / SECOND_MS);
  if (wholeMinutes === 0 && seconds > 0) return t('duration.seconds', { seconds });
  if (hours === 0) return t('duration.minutes', { minutes });
  const hoursText = hours.toLocaleString(currentLanguage());
  if (minutes === 0) return t('duration.hours', { hours: hoursText });
  return t('duration.both', { hours: hoursText, minutes });
}
