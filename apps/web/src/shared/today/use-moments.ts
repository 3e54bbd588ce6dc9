import type { UserId } from '@mogakgong/contract';
import { dateFormat } from '../i18n/date-format.ts';
import { useTranslation } from '../i18n/texts.ts';
import { useConfirmedToday } from './today.ts';

/**
 * Formats times in the page's language and the zone of the learner's day; the computer's until that is known.
 */
export function useMoments(
  userId: UserId | null,
  dateStyle: 'medium' | 'long' = 'medium',
): (atMs: number) => string {
  const { language } = useTranslation();
  const timeZone = useConfirmedToday(userId)?.timeZone;
  const format = dateFormat(language, { dateStyle, timeStyle: 'short', timeZone });
  return (atMs) => format.format(atMs);
}
