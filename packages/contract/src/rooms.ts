import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';

import { RoomId, UserId } from './ids.ts';
import { MediaAccess } from './media.ts';
import { alsoReads, route } from './route.ts';
import { ServerTimeMs } from './server-time.ts';

/** Reasons for which the caller cannot take a seat. */
const entryErrors = [
  'unauthorized',
  'userNotFound',
  'roomNotFound',
  'roomFull',
  'blockedPersonInRoom',
  'removedFromRoom',
  // For a hosted room, or one that had a host.
  'roomClosed',
  'invitationNeeded',
  'approvalNeeded',
  'removedByHost',
  'roomOfGroup',
  'seatedElsewhere',
] as const;

/** Occupancy of a room. */
const fill = { learners: z.int(), capacity: z.int() };

export const enterRoom = route({
  method: 'POST',
  path: '/api/study-rooms/enter',
  summary: 'Takes a seat: the one already held, one in the named room, or the best free one',
  access: 'login',
  query: z.object({ userId: UserId, roomId: z.optional(RoomId) }),
  reply: alsoReads(
    z.object({
      roomId: RoomId,
      /** Saves a separate request; absent while the media server is unavailable. */
      media: z.optional(MediaAccess),
    }),
    // A bare room id (specification §3), as a number or as text.
    (answer) => (typeof answer === 'object' ? answer : { roomId: Number(answer) }),
  ),
  errors: [...entryErrors, 'notYourself', 'clockWrong'],
  limit: {
    ...{ name: 'enterLeave', max: 10, windowMs: MINUTE_MS, per: 'user' },
    // Each stores a visit, and an interval with it.
    perDay: { max: 1_000, error: 'tooManyRequests' },
  },
  limitCounts: 'some',
  callerFields: ['query.userId'],
});

export const checkEntry = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId',
  summary:
    'Whether the caller could take a seat in the room now, and how full it is; fails as entering would',
  access: 'login',
  params: z.object({ roomId: RoomId }),
  reply: z.object({ roomId: RoomId, ...fill }),
  errors: entryErrors,
  // A refusal tells of a block in the room: nobody asks all rooms in turn for the one with a certain learner.
  limit: { name: 'checkEntry', max: 10, windowMs: MINUTE_MS, per: 'user' },
});

export const leaveRoom = route({
  method: 'POST',
  path: '/api/study-rooms/leave',
  summary: "Gives up the caller's seat; leaving without a seat changes nothing",
  access: 'login',
  query: z.object({ userId: UserId }),
  reply: z.object({ left: z._default(z.boolean(), true) }),
  errors: ['unauthorized', 'notYourself', 'clockWrong'],
  callerFields: ['query.userId'],
});

export const getLiveliness = route({
  method: 'GET',
  path: '/api/study-rooms/liveliness',
  summary: 'How many learners are seated right now, in how many rooms, and how full those are',
  access: 'open',
  reply: z.object({
    learners: z.int(),
    rooms: z.int(),
    /** The fullest room in which the next learner may be seated; null if all are full or empty. */
    fullest: z.nullable(z.object(fill)),
  }),
  errors: [],
});

/** How many learners are usually there in an hour. */
export const BusyHour = z.object({ beginsAtMs: ServerTimeMs, learners: z.int() });
export type BusyHour = z.infer<typeof BusyHour>;

export const getBusyHours = route({
  method: 'GET',
  path: '/api/study-rooms/busy-hours',
  summary: 'How many learners the hours of the next day usually have, by counts of the last weeks',
  access: 'login',
  reply: z.object({ hours: z.array(BusyHour) }),
  errors: ['unauthorized', 'clockWrong'],
  limit: { name: 'busyHours', max: 30, windowMs: MINUTE_MS, per: 'user' },
});
