import * as z from 'zod/mini';
import { ServerTimeMs } from '../focus/clock.ts';
import { RoomId } from '../ids.ts';
import { route } from '../route.ts';
import { OwnTitle } from '../titles/titles.ts';

/** Maximum number of intervals listed for a visit. */
export const VISIT_MAX_INTERVALS = 90;
/** Visits in a page of them. */
export const VISITS_PAGE_SIZE = 20;

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
