import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { StudyDay } from '../focus/clock.ts';
import { statisticsRate } from '../limits.ts';
import { route } from '../route.ts';
import { ServerTimeMs } from '../server-time.ts';
import { SubjectId } from '../subjects/subjects.ts';

/** Maximum number of days of a query: a leap year. */
export const STATISTICS_MAX_DAYS = 366;
/** Maximum number of lines of an exported file. */
export const EXPORT_MAX_INTERVALS = 50_000;

/** First and last day of a query, both included; at most `STATISTICS_MAX_DAYS`. */
const Period = z.object({ from: StudyDay, to: StudyDay });

const DayFigures = z.object({
  day: StudyDay,
  focusMs: z.int(),
  awayMs: z.int(),
  /** Entered by hand, beside focus. */
  manualMs: z._default(z.int(), 0),
});
export type DayFigures = z.infer<typeof DayFigures>;

/** Focus by day. Week, month and heatmap of a year are sums of it. */
export const StudyDays = z.object({
  /** The learner's current day. */
  today: StudyDay,
  /** The day on which the learner signed up. Optional: an API of the previous version does not send it. */
  firstDay: z.optional(StudyDay),
  /** Days with any time, in their order; the running interval is included. */
  days: z.array(DayFigures),
});
export type StudyDays = z.infer<typeof StudyDays>;

export const getStudyDays = route({
  method: 'GET',
  path: '/api/statistics/days',
  summary: 'Focus and away of each day of a period',
  access: 'login',
  query: Period,
  reply: StudyDays,
  errors: ['unauthorized', 'badPeriod'],
  limit: statisticsRate,
});

const DayFocus = z.object({ day: StudyDay, focusMs: z.int() });
export type DayFocus = z.infer<typeof DayFocus>;

/**
 * This week so far and last week up to the same moment, in the learner's time zone and with their start
 * of day. A week begins on Monday. Days without focus are left out.
 */
export const Weeks = z.object({
  /** The learner's current day: the last day of this week that is counted. */
  today: StudyDay,
  /** From Monday up to now; the running interval is included. */
  thisWeek: z.array(DayFocus),
  /** Up to today's weekday, that day up to the present time of day. */
  lastWeek: z.array(DayFocus),
  /** The end of the counted part of last week: now minus seven days in local time. */
  lastWeekUntilMs: ServerTimeMs,
  /** Whether the learner focused before this week: otherwise there is nothing to compare. */
  hasEarlier: z.boolean(),
});
export type Weeks = z.infer<typeof Weeks>;

export const getWeeks = route({
  method: 'GET',
  path: '/api/statistics/weeks',
  summary: "The caller's focus of this week, and of last week up to the same weekday and time",
  access: 'login',
  reply: Weeks,
  errors: ['unauthorized'],
  limit: statisticsRate,
});

/** Focus by hour of the day: 24 sums, the first from 00:00 to 01:00 in the zone of each interval. */
export const StudyHours = z.object({ focusMs: z.array(z.int()) });
export type StudyHours = z.infer<typeof StudyHours>;

export const getStudyHours = route({
  method: 'GET',
  path: '/api/statistics/hours',
  summary: 'In which hours of the day the caller focused in a period',
  access: 'login',
  query: Period,
  reply: StudyHours,
  errors: ['unauthorized', 'badPeriod'],
  limit: statisticsRate,
});

/** Subjects of one answer, removed ones too. */
export const PERIOD_SUBJECTS_MAX = 100;

/** Focus of a period by subject; the sum of a day is the focus of that day. */
export const StudySubjects = z.object({
  /** The learner's current day. */
  today: StudyDay,
  /** With any focus in the period, most first. Those beyond `PERIOD_SUBJECTS_MAX` count as none. */
  subjects: z.array(
    z.object({
      /** Null, like its name, for focus without a subject. */
      id: z.nullable(SubjectId),
      name: z.nullable(z.string()),
      isRemoved: z.boolean(),
      focusMs: z.int(),
    }),
  ),
  /** Days with any focus, in order: focus per subject, in the order of `subjects`. */
  days: z.array(z.object({ day: StudyDay, focusMs: z.array(z.int()) })),
});
export type StudySubjects = z.infer<typeof StudySubjects>;

export const getStudySubjects = route({
  method: 'GET',
  path: '/api/statistics/subjects',
  summary: 'Focus of a period by subject, in all and by day',
  access: 'login',
  query: Period,
  reply: StudySubjects,
  errors: ['unauthorized', 'badPeriod'],
  limit: statisticsRate,
});

export const exportIntervals = route({
  method: 'GET',
  path: '/api/statistics/export',
  summary:
    'The closed intervals that share time with a period, each whole, as a CSV file: one that crosses an end of it is in both files',
  access: 'login',
  query: Period,
  /** With a header line. */
  reply: z.string(),
  replyType: 'text/csv; charset=utf-8',
  errors: ['unauthorized', 'badPeriod', 'exportTooLarge'],
  limit: { name: 'export', max: 10, windowMs: MINUTE_MS, per: 'user' },
});
