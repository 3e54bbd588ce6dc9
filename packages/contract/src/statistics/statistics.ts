import * as z from 'zod/mini';
import { StudyDay } from '../focus/today.ts';
import { UserId } from '../ids.ts';
import { route } from '../route.ts';

/** A day counts as attended from this much focus on. */
export const ATTENDANCE_MIN_MS = 60_000;

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
