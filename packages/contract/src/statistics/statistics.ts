import * as z from 'zod/mini';
import { StudyDay } from '../focus/clock.ts';
import { UserId } from '../ids.ts';
import { route } from '../route.ts';

/** Minimum focus of an attended day. */
export const ATTENDANCE_MIN_MS = 60_000;

/** The specification's statistics (§3), and the longest streak. Times in whole seconds. */
export const Statistics = z.object({
  userId: UserId,
  nickname: z.string(),
  /** Total focus, the running interval included. */
  totalStudyTime: z.int(),
  totalAwayTime: z.int(),
  /** Days with at least a minute of focus. */
  totalAttendanceDays: z.int(),
  /**
   * Attended days in a row up to today. Today counts once it is attended; until then the streak up to
   * yesterday counts.
   */
  continueAttendanceDays: z.int(),
  lastAttendanceDate: z.nullable(StudyDay),
  /** 0 where the answer has none: the specification's has not (§3). */
  longestAttendanceDays: z._default(z.int(), 0),
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
