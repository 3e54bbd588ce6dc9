import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { StudyDay } from '../focus/clock.ts';
import { weekdayOf } from '../goals/plan.ts';
import { UserId } from '../ids.ts';

const DAY_MINUTES = 24 * 60;

/** A day of the week: 1 for Monday to 7 for Sunday (ISO 8601). */
const Weekday = z.int().check(z.gte(1), z.lte(7));
/** At least one day of the week. */
export const Weekdays = z.array(Weekday).check(z.minLength(1), z.maxLength(7));

/** A time of day, in minutes after midnight. */
export const TimeOfDay = z.int().check(z.gte(0), z.lt(DAY_MINUTES));

/**
 * The rule of attendance on these days of the week. `minutes`: so many minutes of focus · `present`: in focus or
 * pause between two times; an end that is not after the beginning is on the next day. Fields of the other kind are
 * kept, and do not count.
 */
export const AttendanceRule = z.object({
  kind: z.enum(['minutes', 'present']),
  days: Weekdays,
  minutes: z.int().check(z.gte(1), z.lte(DAY_MINUTES)),
  fromMinute: TimeOfDay,
  untilMinute: TimeOfDay,
});
export type AttendanceRule = z.infer<typeof AttendanceRule>;

/** How long a window between two times of day lasts, 1 to 1,440 minutes. */
export function windowMinutes(fromMinute: number, untilMinute: number): number {
  const minutes = untilMinute - fromMinute;
  return minutes > 0 ? minutes : minutes + DAY_MINUTES;
}

/**
 * The attendance of a member's day. `kept` · `partly`: something, but less than the rule · `missed` · `excused`:
 * said before the day began, and not kept · `open`: the day has not ended, and is not kept yet · `none`: no rule
 * for that day, or not a member yet.
 */
export const AttendanceStatus = z.enum(['kept', 'partly', 'missed', 'excused', 'open', 'none']);
export type AttendanceStatus = z.infer<typeof AttendanceStatus>;

/** The share of the window that a present member keeps: breaks away from the desk are forgiven. */
export const PRESENT_SHARE = 0.8;
/** From this on a day counts as partly kept. */
export const PARTLY_FROM_MS = MINUTE_MS;

interface AttendedDay {
  readonly day: StudyDay;
  /** Focus of the day, or time present in the window of the rule. */
  readonly countedMs: number;
  /** How long the window of the rule lasts on this day: less or more than on others where the clock is set. */
  readonly windowMs: number;
  readonly isExcused: boolean;
  /** Whether it is the day on which the member joined: then nothing is missed. */
  readonly isFirst: boolean;
  /** Whether the day, and the window of the rule, has ended. */
  readonly isOver: boolean;
}

/** The time with which a day is kept, in milliseconds; null on a day without duty, or without the window. */
function requiredMs(
  rule: AttendanceRule,
  { day, windowMs }: Pick<AttendedDay, 'day' | 'windowMs'>,
): number | null {
  if (!rule.days.includes(weekdayOf(day) + 1)) return null;
  if (rule.kind === 'minutes') return rule.minutes * MINUTE_MS;
  return windowMs > 0 ? PRESENT_SHARE * windowMs : null;
}

/** The attendance of a day under a rule. */
export function attendanceOf(rule: AttendanceRule, attended: AttendedDay): AttendanceStatus {
  const { countedMs, isExcused, isFirst, isOver } = attended;
  const neededMs = requiredMs(rule, attended);
  if (neededMs === null) return 'none';
  if (countedMs >= neededMs) return 'kept';
  if (isExcused) return 'excused';
  if (!isOver) return 'open';
  if (isFirst) return 'none';
  return countedMs >= PARTLY_FROM_MS ? 'partly' : 'missed';
}

/** Kept days in a row after another day: only `partly` and `missed` end a row. */
export function rowAfter(row: number, status: AttendanceStatus): number {
  if (status === 'kept') return row + 1;
  return status === 'partly' || status === 'missed' ? 0 : row;
}

/** A month of the calendar, as `YYYY-MM`. */
export const StudyMonth = z.string().check(z.regex(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/u));
export type StudyMonth = z.infer<typeof StudyMonth>;

/** One member's row of the table. */
export const AttendanceRow = z.object({
  userId: UserId,
  /** For each day of the month, from its first; beyond today: `excused` or `none`. */
  statuses: z.array(AttendanceStatus),
  /** Focus of each day, in whole minutes. */
  minutes: z.array(z.int()),
  /** Sums of the month: focus, kept days, and days with a duty that are over, without excused ones. */
  focusMs: z.int(),
  kept: z.int(),
  requiredDays: z.int(),
  /** Kept days in a row up to today, also over earlier months. */
  row: z.int(),
});
export type AttendanceRow = z.infer<typeof AttendanceRow>;

/** The attendance of a group in one month, without members that a block hides from the caller. */
export const GroupMonth = z.object({
  month: StudyMonth,
  today: StudyDay,
  rows: z.array(AttendanceRow),
});
export type GroupMonth = z.infer<typeof GroupMonth>;
