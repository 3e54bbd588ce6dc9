import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import type { RateLimit } from './limits.ts';
import { route } from './route.ts';
import { ServerTimeMs } from './server-time.ts';
import { SubjectId } from './subjects/subjects.ts';

/** The number of a stretch of study time that was entered by hand. */
export const ManualTimeId = z
  .int()
  .check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))
  .brand<'ManualTimeId'>();
export type ManualTimeId = z.infer<typeof ManualTimeId>;

/** Study time entered by hand (decision 141), in milliseconds, days and minutes. */
export const MANUAL_TIME = {
  /** The shortest stretch. */
  minMinutes: 5,
  /** The longest time of a learner's day. */
  dayMaxHours: 4,
  /** Days before today for which time can still be entered or corrected. */
  daysBack: 7,
  /** It ends so long ago that no press of the timer can still begin before its end (decision 090). */
  settledMinutes: 2,
} as const;

/** A stretch of study time as the learner enters it: within one of their days. */
export const ManualTime = z.object({
  startedAtMs: ServerTimeMs,
  endedAtMs: ServerTimeMs,
  /** One of the learner's subjects, or null. */
  subjectId: z.nullable(SubjectId),
});
export type ManualTime = z.infer<typeof ManualTime>;

const manualTimeRate: RateLimit = { name: 'manualTime', max: 30, windowMs: MINUTE_MS, per: 'user' };
const ofManualTime = z.object({ manualId: ManualTimeId });
const refusals = [
  'unauthorized',
  'manualTimeMalformed',
  'manualTimeNotOver',
  'manualTimeTooOld',
  'manualTimeOverDays',
  'manualTimeOverlaps',
  'manualTimeDayFull',
  'subjectNotFound',
  'clockWrong',
] as const;

export const addManualTime = route({
  method: 'POST',
  path: '/api/manual-time',
  summary: 'Adds study time that no clock counted; it stands apart from all counted time',
  access: 'login',
  body: ManualTime,
  reply: z.object({ manualId: ManualTimeId }),
  errors: refusals,
  limit: manualTimeRate,
});

export const changeManualTime = route({
  method: 'PUT',
  path: '/api/manual-time/:manualId',
  summary: 'Corrects study time that was entered by hand',
  access: 'login',
  params: ofManualTime,
  body: ManualTime,
  reply: z.object({ manualId: ManualTimeId }),
  errors: [...refusals, 'manualTimeNotFound'],
  limit: manualTimeRate,
});

export const removeManualTime = route({
  method: 'DELETE',
  path: '/api/manual-time/:manualId',
  summary: 'Deletes study time that was entered by hand',
  access: 'login',
  params: ofManualTime,
  reply: z.object({}),
  errors: ['unauthorized', 'manualTimeNotFound'],
  limit: manualTimeRate,
});
