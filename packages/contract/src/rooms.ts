import * as z from 'zod/mini';
import { RoomId, UserId } from './ids.ts';
import { route } from './route.ts';

/** Why a hosted room, or one that had a host, does not let the caller in. */
const closedToYou = ['roomClosed', 'invitationNeeded', 'approvalNeeded', 'removedByHost'] as const;

export const enterRoom = route({
  method: 'POST',
  path: '/api/study-rooms/enter',
  summary: 'Takes a seat: the one already held, one in the named room, or the best free one',
  access: 'login',
  query: z.object({ userId: UserId, roomId: z.optional(RoomId) }),
  reply: z.object({ roomId: RoomId }),
  errors: [
    'unauthorized',
    'notYourself',
    'userNotFound',
    'roomNotFound',
    'roomFull',
    'blockedPersonInRoom',
    'removedFromRoom',
    ...closedToYou,
    'seatedElsewhere',
    'clockWrong',
  ],
  limit: 'enterLeave',
  limitCounts: 'some',
  callerFields: ['query.userId'],
});

export const checkEntry = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId',
  summary: 'Whether the caller could take a seat in the room now; fails as entering would',
  access: 'login',
  params: z.object({ roomId: RoomId }),
  reply: z.object({ roomId: RoomId }),
  errors: [
    'unauthorized',
    'userNotFound',
    'roomNotFound',
    'roomFull',
    'blockedPersonInRoom',
    'removedFromRoom',
    ...closedToYou,
    'seatedElsewhere',
  ],
});

export const leaveRoom = route({
  method: 'POST',
  path: '/api/study-rooms/leave',
  summary: "Gives up the caller's seat; leaving without a seat changes nothing",
  access: 'login',
  query: z.object({ userId: UserId }),
  reply: z.object({ left: z.boolean() }),
  errors: ['unauthorized', 'notYourself', 'clockWrong'],
  callerFields: ['query.userId'],
});

export const getLiveliness = route({
  method: 'GET',
  path: '/api/study-rooms/liveliness',
  summary: 'How many learners are seated right now, and in how many rooms',
  access: 'open',
  reply: z.object({ learners: z.int(), rooms: z.int() }),
  errors: [],
});
