import * as z from 'zod/mini';
import { StudyCategory } from '../categories.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { RoomId, UserId } from '../ids.ts';
import type { RateLimit } from '../limits.ts';
import { type RouteDefinition, route } from '../route.ts';
import {
  AdmissionStatus,
  HOSTED_ROOM,
  HostView,
  InvitationToken,
  RoomCard,
  RoomPlan,
} from './hosting.ts';

const admissionRate: RateLimit = { name: 'admission', max: 60, windowMs: MINUTE_MS, per: 'user' };
/** A host's actions; reading is counted apart, because guests make the host's page read. */
const hostingRate: RateLimit = { name: 'hosting', max: 60, windowMs: MINUTE_MS, per: 'user' };

/** Public rooms of one page of the list. */
export const ROOMS_PER_PAGE = 20;

export const openHostedRoom = route({
  method: 'POST',
  path: '/api/hosted-rooms',
  summary: 'Opens a room with the caller as its host; it ends when it is closed or stays empty',
  access: 'login',
  body: RoomPlan,
  reply: z.object({ roomId: RoomId }),
  errors: [
    'unauthorized',
    'userNotFound',
    'roomTextMalformed',
    'roomOpenAlready',
    'textMuted',
    'clockWrong',
  ],
  limit: { name: 'openRoom', max: 5, windowMs: HOUR_MS, per: 'user' },
});

export const listHostedRooms = route({
  method: 'GET',
  path: '/api/hosted-rooms',
  summary:
    'Public rooms that are open, by category and words, the fullest with a free seat first; the room of the caller',
  access: 'login',
  query: z.object({
    page: z._default(z.int().check(z.gte(1), z.lte(1_000)), 1),
    category: z.optional(StudyCategory),
    /** Words of the name or the goal. */
    text: z.optional(z.string().check(z.maxLength(HOSTED_ROOM.searchMaxLength))),
  }),
  reply: z.object({
    rooms: z.array(RoomCard),
    /** Of the rooms that were asked for. */
    total: z.int(),
    /** The caller's own open room. */
    own: z.nullable(RoomCard),
  }),
  errors: ['unauthorized'],
  limit: { name: 'roomList', max: 60, windowMs: MINUTE_MS, per: 'user' },
});

export const readInvitation = route({
  method: 'POST',
  path: '/api/invitations',
  summary: 'The room of an invitation link; in a body, so that no log has the token',
  access: 'login',
  body: z.object({ invitation: InvitationToken }),
  reply: z.object({ room: RoomCard, status: AdmissionStatus }),
  errors: ['unauthorized', 'invitationEnded', 'removedByHost', 'blockedPersonInRoom', 'clockWrong'],
  limit: { name: 'invitation', max: 20, windowMs: MINUTE_MS, per: 'user' },
});

export const previewInvitation = route({
  method: 'POST',
  path: '/api/invitations/preview',
  summary:
    'What a visitor with an invitation link sees before log-in: the room, its host, and how full it is',
  access: 'open',
  body: z.object({ invitation: InvitationToken }),
  reply: z.pick(RoomCard, { name: true, hostName: true, learners: true, capacity: true }),
  errors: ['invitationEnded'],
  limit: { name: 'invitationPreview', max: 20, windowMs: MINUTE_MS, per: 'address' },
});

const ofRoom = {
  access: 'login',
  params: z.object({ roomId: RoomId }),
} as const satisfies Partial<RouteDefinition>;

const admissionPath = '/api/study-rooms/:roomId/admission';

export const askAdmission = route({
  ...ofRoom,
  method: 'POST',
  path: admissionPath,
  summary:
    'Asks for admission: granted at once by an invitation, or by the host if the room needs approval',
  body: z.object({ invitation: z.optional(InvitationToken) }),
  reply: z.object({ status: AdmissionStatus }),
  errors: [
    'unauthorized',
    'userNotFound',
    'roomNotFound',
    'roomClosed',
    'removedFromRoom',
    'blockedPersonInRoom',
    'invitationNeeded',
    'invitationEnded',
    'removedByHost',
    'roomOfGroup',
    'admissionDeclined',
    'clockWrong',
  ],
  limit: { name: 'askAdmission', max: 10, windowMs: MINUTE_MS, per: 'user' },
});

export const getAdmission = route({
  ...ofRoom,
  method: 'GET',
  path: admissionPath,
  summary: 'The caller’s admission to a room; a request lasts while its asker keeps calling this',
  /** `room` is null for a room without a host, and for one that the caller may not see. */
  reply: z.object({ room: z.nullable(RoomCard), status: AdmissionStatus }),
  errors: [
    'unauthorized',
    'roomNotFound',
    'roomClosed',
    'removedFromRoom',
    'removedByHost',
    'roomOfGroup',
    'blockedPersonInRoom',
    'clockWrong',
  ],
  limit: admissionRate,
});

export const cancelAdmission = route({
  ...ofRoom,
  method: 'DELETE',
  path: admissionPath,
  summary: 'Withdraws a request; without one nothing changes',
  reply: z.object({ status: AdmissionStatus }),
  errors: ['unauthorized'],
  limit: admissionRate,
});

export const reportPicture = route({
  ...ofRoom,
  method: 'PUT',
  path: '/api/study-rooms/:roomId/picture',
  summary: "Whether the picture of the caller's camera is black: only their page sees it",
  body: z.object({ isBlack: z.boolean() }),
  reply: z.object({ isBlack: z.boolean() }),
  errors: ['unauthorized', 'notSeated'],
  limit: { name: 'blackPicture', max: 60, windowMs: MINUTE_MS, per: 'user' },
});

/** Common fields of the routes that only the host may call. */
const ofHost = {
  ...ofRoom,
  reply: HostView,
  errors: ['unauthorized', 'notHost', 'clockWrong'],
  limit: hostingRate,
} as const satisfies Partial<RouteDefinition>;

export const getHostView = route({
  ...ofHost,
  method: 'GET',
  path: '/api/study-rooms/:roomId/hosting',
  summary: 'The invitation of a room and its waiting guests',
  limit: { name: 'hostView', max: 60, windowMs: MINUTE_MS, per: 'user' },
});

export const renewInvitation = route({
  ...ofHost,
  method: 'POST',
  path: '/api/study-rooms/:roomId/invitation',
  summary: 'Replaces the invitation link: the one before opens nothing any more',
});

const ofGuest = {
  ...ofHost,
  params: z.object({ roomId: RoomId, guestId: UserId }),
} as const satisfies Partial<RouteDefinition>;

export const answerGuest = route({
  ...ofGuest,
  method: 'POST',
  path: '/api/study-rooms/:roomId/guests/:guestId',
  summary: 'Admits or declines a waiting guest; changes nothing for anybody else',
  body: z.object({ isAdmitted: z.boolean() }),
});

export const removeGuest = route({
  ...ofGuest,
  method: 'DELETE',
  path: '/api/study-rooms/:roomId/guests/:guestId',
  summary: 'Removes a learner from the room until it ends, by any way of entering',
  errors: ['unauthorized', 'notHost', 'userNotFound', 'cannotRemoveYourself', 'clockWrong'],
});

export const removeHiddenGuests = route({
  ...ofHost,
  method: 'DELETE',
  path: '/api/study-rooms/:roomId/guests',
  summary: 'Removes the learners who block the host, as `removeGuest` does, without naming them',
});

export const handOverRoom = route({
  ...ofRoom,
  method: 'POST',
  path: '/api/study-rooms/:roomId/host',
  summary: "Gives the host's rights to somebody who sits in the room",
  body: z.object({ newHostId: UserId }),
  reply: z.object({ hostId: UserId }),
  errors: ['unauthorized', 'notHost', 'hostNotSeated', 'roomOpenAlready', 'clockWrong'],
  limit: hostingRate,
});

export const closeHostedRoom = route({
  ...ofRoom,
  method: 'DELETE',
  path: '/api/hosted-rooms/:roomId',
  summary: 'Ends a room: everybody leaves it at once',
  reply: z.object({ roomId: RoomId }),
  errors: ['unauthorized', 'notHost', 'clockWrong'],
  limit: hostingRate,
});

const HostOffer = z.object({
  /** Whether the host is away and the room is offered to the caller: nobody else has sat there longer. */
  isOffered: z.boolean(),
});

export const getHostOffer = route({
  ...ofRoom,
  method: 'GET',
  path: '/api/study-rooms/:roomId/host-offer',
  summary:
    'Whether the caller is asked to become the host; the notice `changed: hostOffer` says when',
  reply: HostOffer,
  errors: ['unauthorized'],
  limit: admissionRate,
});

export const answerHostOffer = route({
  ...ofRoom,
  method: 'PUT',
  path: '/api/study-rooms/:roomId/host-offer',
  summary: 'Accepts the rights of an absent host, or declines: then the next learner is asked',
  body: z.object({ isAccepted: z.boolean() }),
  reply: z.object({ hostId: z.nullable(UserId) }),
  errors: ['unauthorized', 'hostOfferEnded', 'roomOpenAlready', 'clockWrong'],
  limit: admissionRate,
});
