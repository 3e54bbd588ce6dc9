import * as z from 'zod/mini';
import { ServerTimeMs } from './clock.ts';

/** A calendar day of the learner, as `YYYY-MM-DD`: it begins at their day start in their time zone. */
export const StudyDay = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/u));
export type StudyDay = z.infer<typeof StudyDay>;

/** A learner's study time of today, with the state needed to continue counting without a request. */
export const Today = z.object({
  /** Focused today up to `serverNowMs`, in whole seconds (specification §3). */
  todayStudyTime: z.int(),
  day: StudyDay,
  /** The IANA time zone of that day, in which all times are shown to the learner. */
  timeZone: z.string(),
  /** Focused today in intervals that are closed. */
  focusMs: z.int(),
  /** Start of the running focus, or of today if later; null while none runs. */
  runningSinceMs: z.nullable(ServerTimeMs),
  dayStartsAtMs: ServerTimeMs,
  /** When the next day begins. */
  dayEndsAtMs: ServerTimeMs,
  serverNowMs: ServerTimeMs,
});
export type Today = z.infer<typeof Today>;

type TodayFigures = Pick<Today, 'focusMs' | 'runningSinceMs' | 'dayEndsAtMs'>;

/** Focused today at a moment of the server's time; restarts with the learner's day. */
export function todayMs(today: TodayFigures, serverNowMs: number): number {
  const { focusMs, runningSinceMs, dayEndsAtMs } = today;
  const isNextDay = serverNowMs >= dayEndsAtMs;
  if (runningSinceMs === null) return isNextDay ? 0 : focusMs;
  return isNextDay
    ? serverNowMs - Math.max(dayEndsAtMs, runningSinceMs)
    : focusMs + Math.max(0, serverNowMs - runningSinceMs);
}
