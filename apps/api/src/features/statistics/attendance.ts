import { ATTENDANCE_MIN_MS, type StudyDay } from '@mogakgong/contract';
import type { TotalsRow } from './totals.repository.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Days from one date to another. */
export function daysBetween(from: StudyDay, to: StudyDay): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export interface Attendance {
  readonly days: number;
  /** In a row up to today, or up to yesterday while today is not attended yet. */
  readonly streakDays: number;
  readonly longestDays: number;
  readonly lastDay: StudyDay | null;
}

/**
 * Attendance with what runs: a day counts from a minute of focus on. `attendanceOfLook` in titles is
 * the same rule in SQL, where a look counts and awards in one statement; `award-properties.test.ts`
 * holds them together.
 */
export function attendanceOfTotals(totals: TotalsRow): Attendance {
  let { attendanceDays: days, streakDays, longestStreakDays, lastAttendedDay: lastDay } = totals;
  for (const { day, status, ms, beforeMs } of totals.running) {
    const isNew =
      status === 'focus' && beforeMs < ATTENDANCE_MIN_MS && beforeMs + ms >= ATTENDANCE_MIN_MS;
    if (!isNew) continue;
    days += 1;
    // A day before the last one only adds to the row when the interval is closed and all are counted.
    if (lastDay !== null && daysBetween(lastDay, day) < 0) continue;
    streakDays = lastDay !== null && daysBetween(lastDay, day) === 1 ? streakDays + 1 : 1;
    longestStreakDays = Math.max(longestStreakDays, streakDays);
    lastDay = day;
  }
  const isUnbroken = lastDay !== null && daysBetween(lastDay, totals.today) <= 1;
  return {
    days,
    streakDays: isUnbroken ? streakDays : 0,
    longestDays: longestStreakDays,
    lastDay,
  };
}
