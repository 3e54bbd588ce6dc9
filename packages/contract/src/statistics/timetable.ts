import * as z from 'zod/mini';
import { StudyDay } from '../focus/clock.ts';
import { statisticsRate } from '../limits.ts';
import { ManualTimeId } from '../manual-time.ts';
import { route } from '../route.ts';
import { ServerTimeMs } from '../server-time.ts';
import { SubjectId } from '../subjects/subjects.ts';

/** Stretches of one day in an answer: the first of them. */
export const TIMETABLE_MAX_PARTS = 1_000;

const TimetablePart = z.object({
  startedAtMs: ServerTimeMs,
  endedAtMs: ServerTimeMs,
  subjectId: z.nullable(SubjectId),
  /** Of time that was entered by hand, which no sum of focus has; null for counted focus. */
  manualId: z.nullable(ManualTimeId),
});
export type TimetablePart = z.infer<typeof TimetablePart>;

/** When the learner focused on a day, and what for. */
export const Timetable = z.object({
  /** Whether time can still be entered for the day by hand. */
  isOpen: z.boolean(),
  /** The learner's present zone, and the day by their present rule; parts counted by another may lie outside. */
  timeZone: z.string(),
  dayStartsAtMs: ServerTimeMs,
  dayEndsAtMs: ServerTimeMs,
  /** In order, cut at the ends of the day. */
  parts: z.array(TimetablePart),
  /** The subjects of the parts, removed ones too; `place` counts all of the learner's and never changes. */
  subjects: z.array(z.object({ id: SubjectId, name: z.string(), place: z.int() })),
});
export type Timetable = z.infer<typeof Timetable>;

export const getTimetable = route({
  method: 'GET',
  path: '/api/statistics/timetable',
  summary: "The caller's focus of a day, stretch by stretch, with time entered by hand",
  access: 'login',
  query: z.object({ day: StudyDay }),
  reply: Timetable,
  errors: ['unauthorized', 'badPeriod'],
  limit: statisticsRate,
});
