import { addDays, type StudyDay } from '@mogakgong/contract';

/** The days of a month, from its first. */
export function daysOfMonth(firstDay: StudyDay): StudyDay[] {
  const month = firstDay.slice(0, 7);
  const all = Array.from({ length: 31 }, (_, index) => addDays(firstDay, index));
  return all.filter((day) => day.startsWith(month));
}
