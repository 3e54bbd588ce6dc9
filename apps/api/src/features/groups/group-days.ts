import type { StudyDay } from '@mogakgong/contract';
import { DAY_MS } from './group-rows.ts';

/** Whether a day exists in the calendar, unlike 31 February, and in that of PostgreSQL. */
export function isCalendarDay(day: StudyDay): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || day < '0001') return false;
  return date.toISOString().startsWith(day);
}

/** The day so many days after another. */
export const dayAfter = (day: StudyDay, days: number): StudyDay =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The days of a month, from its first. */
export function daysOfMonth(firstDay: StudyDay): StudyDay[] {
  const month = firstDay.slice(0, 7);
  const all = Array.from({ length: 31 }, (_, index) => dayAfter(firstDay, index));
  return all.filter((day) => day.startsWith(month));
}
