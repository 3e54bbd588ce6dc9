import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { RoomId } from '../ids.ts';
import { statisticsRate } from '../limits.ts';
import { oneLine } from '../one-line.ts';
import { route } from '../route.ts';
import { ServerTimeMs } from '../server-time.ts';
import { OwnTitle } from '../titles/titles.ts';

/** Maximum number of intervals listed for a visit. */
export const VISIT_MAX_INTERVALS = 90;
/** Visits in a page of them. */
export const VISITS_PAGE_SIZE = 20;

/** Of a learner's note on a visit, in characters after trimming. */
export const VISIT_NOTE_MAX_LENGTH = 100;
const NOTE_RAW_MAX_LENGTH = 300;

/** One interval of a visit. Its end is null while it runs. */
export const VisitInterval = z.object({
  status: z.enum(['focus', 'pause', 'away']),
  startedAtMs: ServerTimeMs,
  endedAtMs: z.nullable(ServerTimeMs),
  /** `silence`: the server found the learner disconnected; `learner`: the learner's action. */
  cause: z.enum(['learner', 'silence']),
  /** The learner's IANA time zone at the time. */
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
  /** In order; for a visit with more than `VISIT_MAX_INTERVALS`, the latest ones. */
  intervals: z.array(VisitInterval),
  /** Whether there are earlier intervals. */
  hasEarlier: z.boolean(),
  /** The learner's own explanation; nobody else reads it. */
  note: z._default(z.nullable(z.string()), null),
});
export type Visit = z.infer<typeof Visit>;

export const getVisits = route({
  method: 'GET',
  path: '/api/statistics/visits',
  summary: "The caller's visits with their intervals, latest first: where each number comes from",
  access: 'login',
  query: z.object({
    /** The oldest visit that the caller has; without it the latest page. */
    before: z.optional(z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))),
    /** How many to list; a full page by default. */
    count: z.optional(z.int().check(z.gte(1), z.lte(VISITS_PAGE_SIZE))),
  }),
  reply: z.object({
    visits: z.array(Visit),
    hasOlder: z.boolean(),
    serverNowMs: ServerTimeMs,
  }),
  errors: ['unauthorized'],
  limit: statisticsRate,
});

/** A note as it is stored, or null: see `oneLine`. */
export const visitNote = (text: string) => oneLine(text, VISIT_NOTE_MAX_LENGTH);

export const putVisitNote = route({
  method: 'PUT',
  path: '/api/statistics/visits/:visitId/note',
  summary: "Stores the caller's note on a visit; an empty one deletes it",
  access: 'login',
  params: z.object({ visitId: z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER)) }),
  body: z.object({ note: z.string().check(z.maxLength(NOTE_RAW_MAX_LENGTH)) }),
  reply: z.object({ note: z.nullable(z.string()) }),
  errors: ['unauthorized', 'visitNotFound', 'visitNoteMalformed'],
  limit: { name: 'visitNote', max: 30, windowMs: MINUTE_MS, per: 'user' },
});

/** Summary shown after leaving a room. */
export const LookBack = z.object({
  /** The latest visit; null before the first, and while it lasts. */
  visit: z.nullable(z.object({ focusMs: z.int(), awayMs: z.int(), endedAtMs: ServerTimeMs })),
  /** Days attended in a row, up to today or yesterday. */
  streakDays: z.int(),
  /** The title not yet won with the largest share of its target; null when all are won. */
  nextTitle: z.nullable(OwnTitle),
});
export type LookBack = z.infer<typeof LookBack>;

export const getLookBack = route({
  method: 'GET',
  path: '/api/statistics/look-back',
  summary: "The sums of the caller's latest visit, the days in a row, and the next title",
  access: 'login',
  reply: LookBack,
  errors: ['unauthorized'],
  limit: statisticsRate,
});
