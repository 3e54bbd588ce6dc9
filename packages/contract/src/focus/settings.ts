import * as z from 'zod/mini';

/** The time zone of a learner's days until they choose another (design §5). */
export const DEFAULT_TIME_ZONE = 'Asia/Seoul';
/** The latest time of day at which a learner's day may begin: 06:00 (design §5). */
export const DAY_START_MAX_MINUTES = 6 * 60;

export const FocusSettings = z.object({
  /** A name of the IANA time zone database. */
  timeZone: z
    .string()
    .check(z.regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/u), z.maxLength(64)),
  /** When the learner's day begins, in minutes after midnight: 0 to 360. */
  dayStartMinutes: z.int().check(z.gte(0), z.lte(DAY_START_MAX_MINUTES)),
  /** Whether focus starts automatically on entering a room (specification §1). */
  startsOnEntering: z.boolean(),
});
export type FocusSettings = z.infer<typeof FocusSettings>;
