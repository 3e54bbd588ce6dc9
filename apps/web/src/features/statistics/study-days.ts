import {
  ATTENDANCE_MIN_MS,
  addDays,
  type DayFigures,
  type Statistics,
  type StudyDay,
  type StudyDays,
  type Today,
  todayMs,
  weekdayOf,
} from '@mogakgong/contract';

const WEEK_DAYS = 7;
const LONGEST_MONTH_DAYS = 31;
/** Columns of the heatmap: with the days of this week at most 364 days, the longest period of one request. */
export const HEATMAP_WEEKS = 52;

/** The period of `count` days that ends with `to`. */
export function lastDays(to: StudyDay, count: number): { from: StudyDay; to: StudyDay } {
  return { from: addDays(to, 1 - count), to };
}

/** `count` days, starting with the first. */
export function daysFrom(first: StudyDay, count: number): StudyDay[] {
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}

/** Monday to Sunday of a day's week. */
export function weekOf(day: StudyDay): StudyDay[] {
  return daysFrom(addDays(day, -weekdayOf(day)), WEEK_DAYS);
}

/** The days of this week, with today's figures up to a moment. */
export function weekSoFar(today: Today, { days }: StudyDays, nowMs: number): DayFigures[] {
  return weekOf(today.day).map((day) =>
    day === today.day
      ? { day, focusMs: todayMs(today, nowMs), awayMs: 0, manualMs: today.manualMs ?? 0 }
      : figuresByDay(days)(day),
  );
}

export function monthOf(day: StudyDay): StudyDay[] {
  const first = `${day.slice(0, 8)}01`;
  return daysFrom(first, LONGEST_MONTH_DAYS).filter((other) => other.startsWith(day.slice(0, 7)));
}

/** The weeks of the heatmap, Monday first; the last one ends with today. */
export function heatmapWeeks(today: StudyDay): StudyDay[][] {
  const [monday = today] = weekOf(today);
  return Array.from({ length: HEATMAP_WEEKS }, (_, index) => {
    const first = addDays(monday, (index - HEATMAP_WEEKS + 1) * WEEK_DAYS);
    return daysFrom(first, WEEK_DAYS).filter((day) => day <= today);
  });
}

/**
 * The requested period, before the learner's current day is known: one more day on either side of this
 * computer's date covers every zone and start of the day.
 */
export function yearAround(nowMs: number): { from: StudyDay; to: StudyDay } {
  const to = addDays(new Date(nowMs).toISOString().slice(0, 10), 1);
  return { from: addDays(to, -365), to };
}

/** Looks up a day's figures; zeros for a day without any time. */
export function figuresByDay(days: readonly DayFigures[]): (day: StudyDay) => DayFigures {
  const known = new Map(days.map((figures) => [figures.day, figures]));
  return (day) => known.get(day) ?? { day, focusMs: 0, awayMs: 0, manualMs: 0 };
}

export function attendedDays(days: readonly DayFigures[]): number {
  return days.filter(({ focusMs }) => focusMs >= ATTENDANCE_MIN_MS).length;
}

/**
 * Whether all of a learner's study time is in the last seven days: charts of weeks and months have nothing to
 * compare yet.
 */
export function isFirstWeek(
  { totalAttendanceDays }: Statistics,
  { today, days }: StudyDays,
): boolean {
  const first = addDays(today, 1 - WEEK_DAYS);
  return totalAttendanceDays <= WEEK_DAYS && days.every(({ day }) => day >= first);
}

export function sumOf(days: readonly Omit<DayFigures, 'day'>[]): Omit<DayFigures, 'day'> {
  return {
    focusMs: days.reduce((sum, { focusMs }) => sum + focusMs, 0),
    awayMs: days.reduce((sum, { awayMs }) => sum + awayMs, 0),
    manualMs: days.reduce((sum, { manualMs }) => sum + manualMs, 0),
  };
}
