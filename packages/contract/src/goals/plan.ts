import * as z from 'zod/mini';
import { DAY_MS } from '../durations.ts';
import { StudyDay } from '../focus/clock.ts';
import { oneLine } from '../one-line.ts';

/** Maximum number of tasks of later days and repeated ones. */
export const PLANNED_TASKS_MAX = 50;
/** Maximum number of exam days, past ones included. */
export const EXAM_DAYS_MAX = 10;
/** In characters, after trimming. */
export const EXAM_NAME_MAX_LENGTH = 20;

const WEEK_DAYS = 7;

/** A task of one later day, or one that is repeated on weekdays: exactly one of both is given. */
export const PlannedTask = z.object({
  text: z.string(),
  day: z.nullable(StudyDay),
  /** Of a repeated task: 0 for Monday to 6 for Sunday. */
  weekdays: z.array(z.int().check(z.gte(0), z.lt(WEEK_DAYS))).check(z.maxLength(WEEK_DAYS)),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** An exam, or another day that the learner counts down to. */
export const ExamDay = z.object({ name: z.string(), day: StudyDay });
export type ExamDay = z.infer<typeof ExamDay>;

/** The name of an exam as it is stored, or null: see `oneLine`. */
export const examName = (text: string) => oneLine(text, EXAM_NAME_MAX_LENGTH);

const utcMs = (day: StudyDay) => Date.parse(`${day}T00:00:00Z`);

/** The day `count` days later; earlier for a negative number. */
export function addDays(day: StudyDay, count: number): StudyDay {
  return new Date(utcMs(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: StudyDay): number {
  return (new Date(utcMs(day)).getUTCDay() + 6) % WEEK_DAYS;
}

/** Days from one to another; negative if that is earlier. */
export function daysUntil(from: StudyDay, to: StudyDay): number {
  return Math.round((utcMs(to) - utcMs(from)) / DAY_MS);
}

/** Whether a well-formed text is an existing date. */
export function isDate(day: StudyDay): boolean {
  const ms = utcMs(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day) && !day.startsWith('0000');
}

/** Whether a task is planned for a day. */
export function isPlannedFor({ day: only, weekdays }: PlannedTask, day: StudyDay): boolean {
  return only === null ? weekdays.includes(weekdayOf(day)) : only === day;
}

/** The next exam from a day on, with the days until then: 0 on its own day; null if there is none. */
export function nextExam(
  exams: readonly ExamDay[],
  today: StudyDay,
): (ExamDay & { readonly inDays: number }) | null {
  const [next] = exams
    .map((exam) => ({ ...exam, inDays: daysUntil(today, exam.day) }))
    .filter(({ inDays }) => inDays >= 0)
    .toSorted((one, other) => one.inDays - other.inDays);
  return next ?? null;
}

/** The usual way to write a count of days: D-30, D-DAY, D+1. */
export function dCount(inDays: number): string {
  if (inDays === 0) return 'D-DAY';
  return inDays > 0 ? `D-${inDays}` : `D+${-inDays}`;
}
