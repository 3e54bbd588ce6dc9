import * as z from 'zod/mini';
import { ServerTimeMs } from '../focus/clock.ts';
import { StudyDay } from '../focus/today.ts';
import { RoomId, UserId } from '../ids.ts';
import { route } from '../route.ts';
import { SubjectId } from '../subjects/subjects.ts';
import { OwnTitle } from '../titles/titles.ts';

/** A day counts as attended from this much focus on. */
export const ATTENDANCE_MIN_MS = 60_000;
/** Maximum number of days of a query: a leap year. */
export const STATISTICS_MAX_DAYS = 366;
/** Maximum number of lines of an exported file. */
export const EXPORT_MAX_INTERVALS = 50_000;
/** Maximum number of intervals listed for a visit. */
export const VISIT_MAX_INTERVALS = 500;
/** Visits in a page of them. */
export const VISITS_PAGE_SIZE = 20;

/** The specification's statistics (§3), and the longest streak. Times in whole seconds. */
export const Statistics = z.object({
  userId: UserId,
  nickname: z.string(),
  /** Focused in all, the running interval included. */
  totalStudyTime: z.int(),
  totalAwayTime: z.int(),
  /** Days with at least a minute of focus. */
  totalAttendanceDays: z.int(),
  /**
   * Attended days in a row up to today. Today counts as soon as it is attended, and until it ends
   * without, the streak up to yesterday counts.
   */
  continueAttendanceDays: z.int(),
  lastAttendanceDate: z.nullable(StudyDay),
  longestAttendanceDays: z.int(),
});
export type Statistics = z.infer<typeof Statistics>;

export const getStatistics = route({
  method: 'GET',
  path: '/api/user/stat/normal',
  summary: "The caller's totals, attendance and days in a row",
  access: 'login',
  reply: Statistics,
  errors: ['unauthorized', 'userNotFound'],
});

/** First and last day of a query, both included; at most `STATISTICS_MAX_DAYS`. */
const Period = z.object({ from: StudyDay, to: StudyDay });

const DayFigures = z.object({ day: StudyDay, focusMs: z.int(), awayMs: z.int() });
export type DayFigures = z.infer<typeof DayFigures>;

/** Week, month and heatmap of a year are sums over these. */
export const StudyDays = z.object({
  /** The learner's day now. */
  today: StudyDay,
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
  limit: 'statistics',
});

const DayFocus = z.object({ day: StudyDay, focusMs: z.int() });
export type DayFocus = z.infer<typeof DayFocus>;

/**
 * This week so far and last week up to the same moment, in the learner's time zone and with their start
 * of day. A week begins on Monday. Days without focus are left out.
 */
export const Weeks = z.object({
  /** The learner's day now: the last day of this week that is counted. */
  today: StudyDay,
  /** From Monday up to now; the running interval is included. */
  thisWeek: z.array(DayFocus),
  /** Up to the weekday of today, that day up to the time that the clock shows now. */
  lastWeek: z.array(DayFocus),
  /** Where last week is cut: now, seven days earlier by the clock on the learner's wall. */
  lastWeekUntilMs: ServerTimeMs,
  /** Whether the learner has focused before this week: else there is nothing to compare with. */
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
  limit: 'statistics',
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
  limit: 'statistics',
});

/** Focus of a period by subject; the sum of a day is the focus of that day. */
export const StudySubjects = z.object({
  /** The learner's day now. */
  today: StudyDay,
  /** With any focus in the period, most first. */
  subjects: z.array(
    z.object({
      /** Null with its name: focus without a subject. */
      id: z.nullable(SubjectId),
      name: z.nullable(z.string()),
      isRemoved: z.boolean(),
      focusMs: z.int(),
    }),
  ),
  /** Days with any focus, in their order: that of each of `subjects`, in theirs. */
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
  limit: 'statistics',
});

/** One interval of a visit. Its end is null while it runs. */
export const VisitInterval = z.object({
  status: z.enum(['focus', 'pause', 'away']),
  startedAtMs: ServerTimeMs,
  endedAtMs: z.nullable(ServerTimeMs),
  /** `silence`: the server found that nobody was there; `learner`: their own choice. */
  cause: z.enum(['learner', 'silence']),
  /** Where the learner's days were counted then: a name of the IANA time zone database. */
  timeZone: z.string(),
});
export type VisitInterval = z.infer<typeof VisitInterval>;

/** From entering a room to leaving it; its intervals add up to its sums. */
export const Visit = z.object({
  id: z.int(),
  roomId: RoomId,
  beganAtMs: ServerTimeMs,
  endedAtMs: z.nullable(ServerTimeMs),
  /** Up to now while the visit lasts. */
  focusMs: z.int(),
  awayMs: z.int(),
  /** In order; of a visit with more than `VISIT_MAX_INTERVALS` the latest of them. */
  intervals: z.array(VisitInterval),
  /** Whether it has intervals before those. */
  hasEarlier: z.boolean(),
});
export type Visit = z.infer<typeof Visit>;

export const getVisits = route({
  method: 'GET',
  path: '/api/statistics/visits',
  summary: "The caller's visits with their intervals, latest first: where each number comes from",
  access: 'login',
  query: z.object({
    /** The oldest visit the caller has; without it the latest page. */
    before: z.optional(z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))),
    /** How many to list; a page of them without it. */
    count: z.optional(z.int().check(z.gte(1), z.lte(VISITS_PAGE_SIZE))),
  }),
  reply: z.object({
    visits: z.array(Visit),
    hasOlder: z.boolean(),
    serverNowMs: ServerTimeMs,
  }),
  errors: ['unauthorized'],
  limit: 'statistics',
});

/** What one looks back at after leaving a room. */
export const LookBack = z.object({
  /** The latest visit; null before the first, and while it lasts. */
  visit: z.nullable(z.object({ focusMs: z.int(), awayMs: z.int(), endedAtMs: ServerTimeMs })),
  /** Days attended in a row, up to today or yesterday. */
  streakDays: z.int(),
  /** Of the titles that are not won the one whose target is nearest, by share; null when all are won. */
  nextTitle: z.nullable(OwnTitle),
});
export type LookBack = z.infer<typeof LookBack>;

export const getLookBack = route({
  method: 'GET',
  path: '/api/statistics/look-back',
  summary: "What the caller's latest visit added up to, the days in a row, and the next title",
  access: 'login',
  reply: LookBack,
  errors: ['unauthorized'],
  limit: 'statistics',
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
  limit: 'export',
});
