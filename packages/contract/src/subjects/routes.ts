import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { FocusClock } from '../focus/clock.ts';
import { TimerPress } from '../focus/routes.ts';
import { type RateLimit, timerRate } from '../limits.ts';
import { route } from '../route.ts';
import { ServerTimeMs } from '../server-time.ts';
import { OwnSubjects, SUBJECTS_MAX, SubjectId, SubjectNamePayload } from './subjects.ts';

const subjectsRate: RateLimit = { name: 'subjects', max: 30, windowMs: MINUTE_MS, per: 'user' };

const ofSubject = z.object({ subjectId: SubjectId });

export const getSubjects = route({
  method: 'GET',
  path: '/api/subjects',
  summary: "The caller's subjects, and the current one",
  access: 'login',
  reply: OwnSubjects,
  errors: ['unauthorized'],
});

export const addSubject = route({
  method: 'POST',
  path: '/api/subjects',
  summary: 'Adds a subject at the end; the name of a removed one brings that back with its time',
  access: 'login',
  body: z.object({ name: SubjectNamePayload }),
  reply: OwnSubjects,
  errors: [
    'unauthorized',
    'subjectNameMalformed',
    'subjectExists',
    'tooManySubjects',
    'clockWrong',
  ],
  limit: subjectsRate,
});

export const changeSubject = route({
  method: 'PATCH',
  path: '/api/subjects/:subjectId',
  summary: 'Renames a subject, along with its past time, or moves it in the list',
  access: 'login',
  params: ofSubject,
  body: z.object({
    name: z.optional(SubjectNamePayload),
    /** Its place among the subjects, from 0; after the last one it is the last. */
    position: z.optional(z.int().check(z.gte(0), z.lte(SUBJECTS_MAX))),
  }),
  reply: OwnSubjects,
  errors: ['unauthorized', 'subjectNotFound', 'subjectNameMalformed', 'subjectExists'],
  limit: subjectsRate,
});

export const removeSubject = route({
  method: 'DELETE',
  path: '/api/subjects/:subjectId',
  summary:
    'Removes a subject: its time stays under its name, and focus that runs goes on without one. One without time is deleted',
  access: 'login',
  params: ofSubject,
  reply: OwnSubjects,
  errors: ['unauthorized', 'subjectNotFound', 'clockWrong'],
  limit: subjectsRate,
});

export const showSubject = route({
  method: 'PUT',
  path: '/api/subjects/shown',
  summary: "Shows the current subject on the caller's tile to others in the room, or to nobody",
  access: 'login',
  body: z.object({ isShown: z.boolean() }),
  reply: OwnSubjects,
  errors: ['unauthorized'],
  limit: subjectsRate,
});

/** The caller's current subject after a choice, their clock if seated, and the server's time. */
export const SubjectReply = z.object({
  currentId: z.nullable(SubjectId),
  clock: z.nullable(FocusClock),
  serverNowMs: ServerTimeMs,
});
export type SubjectReply = z.infer<typeof SubjectReply>;

export const chooseSubject = route({
  method: 'PUT',
  path: '/api/subjects/current',
  summary:
    'Counts focus under a subject, or under none, from now or from the moment of the press on',
  access: 'login',
  body: z.object({ subjectId: z.nullable(SubjectId), press: z.optional(TimerPress) }),
  reply: SubjectReply,
  errors: ['unauthorized', 'subjectNotFound', 'timerPressedTooOften', 'clockWrong'],
  limit: timerRate,
});
