import {
  type AttendanceRule,
  daysUntil,
  type GroupCard,
  MINUTE_MS,
  type SessionPlan,
  windowMinutes,
} from '@mogakgong/contract';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { dateFormat, weekdayName } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import type { GroupsText } from '../../shared/i18n/namespaces.ts';
import { currentLanguage } from '../../shared/i18n/texts.ts';

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Weekdays in a word where there is one, else one by one. */
export function daysText(t: GroupsText, days: readonly number[]): string {
  const chosen = ALL_DAYS.filter((day) => days.includes(day));
  const known = chosen.join('');
  if (known === '1234567') return t('weekdays.all');
  if (known === '12345') return t('weekdays.work');
  if (known === '67') return t('weekdays.end');
  return chosen.map((day) => weekdayName(day - 1, currentLanguage(), 'short')).join(' · ');
}

/** A window of the day; one that ends on the next day says so. */
export function windowText(
  t: GroupsText,
  { fromMinute, untilMinute }: Pick<SessionPlan, 'fromMinute' | 'untilMinute'>,
): string {
  const window = { from: timeOfDayText(fromMinute), until: timeOfDayText(untilMinute) };
  const isOvernight = fromMinute + windowMinutes(fromMinute, untilMinute) > 24 * 60;
  return t(isOvernight ? 'window.overnight' : 'window.sameDay', window);
}

/** The rule of attendance in one line. */
export function ruleText(t: GroupsText, rule: AttendanceRule): string {
  const days = daysText(t, rule.days);
  if (rule.kind === 'present') return t('rule.present', { days, window: windowText(t, rule) });
  return t('rule.minutes', { days, time: durationText(t, rule.minutes * MINUTE_MS) });
}

/** Whole days until the exam in the group's zone; null without one, and when it is over. */
export function daysUntilExam(
  { examDay, timeZone }: Pick<GroupCard, 'examDay' | 'timeZone'>,
  nowMs: number,
): number | null {
  if (examDay === null) return null;
  const today = dateFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowMs);
  const days = daysUntil(today, examDay);
  return days < 0 ? null : days;
}
