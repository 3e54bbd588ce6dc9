import * as z from 'zod/mini';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { FocusStatus } from './focus/clock.ts';
import { RoomId, UserId } from './ids.ts';
import type { RateLimit } from './limits.ts';
import { type RouteDefinition, route } from './route.ts';

/**
 * Friends of one learner, and requests: those of one learner without an answer, how long they wait for
 * one, and how many of them a list shows (decision 101).
 */
export const FRIENDS = {
  max: 200,
  openRequestsMax: 50,
  requestDays: 30,
  shownRequests: 100,
  /** How long an invitation into a room is open, while its sender sits there. */
  invitationMinutes: 15,
  /** How long it is kept. */
  invitationKeptHours: 2,
} as const;

const friendsRate: RateLimit = { name: 'friends', max: 60, windowMs: MINUTE_MS, per: 'user' };
const friendRequestsRate: RateLimit = {
  name: 'friendRequests',
  max: 20,
  windowMs: DAY_MS,
  per: 'user',
};

/**
 * The data that friends and people with a pending request see of each other, without times and subjects of
 * study.
 */
const FriendCard = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
});
export type FriendCard = z.infer<typeof FriendCard>;

/** The state that friends show each other if both agree; a friend without a seat is not in the list. */
const FriendState = z.object({
  userId: UserId,
  status: FocusStatus,
  /**
   * The friend's room: where the caller sits as well, where they may take a seat now, or ask for one. Null where
   * they cannot, without the reason.
   */
  place: z.nullable(z.object({ roomId: RoomId, way: z.enum(['here', 'sit', 'ask']) })),
});
export type FriendState = z.infer<typeof FriendState>;

const FriendInvitation = z.object({ from: FriendCard, roomId: RoomId });
export type FriendInvitation = z.infer<typeof FriendInvitation>;

/** The secret of a learner's own link, with which an acquaintance can send a request. */
const FriendLink = z.string().check(z.minLength(20), z.maxLength(64));

export const Friends = z.object({
  /** Newest first, as the other two. */
  friends: z.array(FriendCard),
  /** Unanswered requests to the caller: the newest `FRIENDS.shownRequests`. */
  received: z.array(FriendCard),
  /** People that the caller has asked; declined requests stay here, as nobody is told of them. */
  sent: z.array(FriendCard),
  /** The caller's own link; null before they have made one. */
  link: z.nullable(FriendLink),
  /** Whether the caller agrees that they and friends show each other their state. */
  sharesState: z._default(z.boolean(), false),
  /** Empty unless the caller shares theirs. */
  states: z._default(z.array(FriendState), []),
  /** Open invitations to the caller, newest first. */
  invitations: z._default(z.array(FriendInvitation), []),
});
export type Friends = z.infer<typeof Friends>;

/** The caller's relation to somebody. `asked`: by the caller · `asks`: the caller has not answered. */
const FriendStanding = z.enum(['none', 'asked', 'asks', 'friends']);
export type FriendStanding = z.infer<typeof FriendStanding>;

/** `friends` if the other side had asked, too. */
const Asked = z.object({
  standing: z.enum(['asked', 'friends']),
  /** False if nothing changed. */
  isNew: z.boolean(),
});

export const getFriends = route({
  method: 'GET',
  path: '/api/friends',
  summary: "The caller's friends, requests both ways, and their own link",
  access: 'login',
  reply: Friends,
  errors: ['unauthorized'],
  limit: friendsRate,
});

export const renewFriendLink = route({
  method: 'POST',
  path: '/api/friends/link',
  summary: "Makes the caller's own link; the one before opens nothing any more",
  access: 'login',
  reply: z.object({ link: FriendLink }),
  errors: ['unauthorized', 'userNotFound'],
  limit: friendsRate,
});

const ofLink = {
  method: 'POST',
  access: 'login',
  body: z.object({ link: FriendLink }),
} as const satisfies Partial<RouteDefinition>;

export const readFriendLink = route({
  ...ofLink,
  path: '/api/friends/link/owner',
  summary: 'The owner of a link; in a body, so that no log has the secret',
  reply: z.object({ owner: FriendCard, standing: FriendStanding }),
  errors: ['unauthorized', 'friendLinkEnded', 'cannotBefriendYourself'],
  limit: friendsRate,
});

export const askByFriendLink = route({
  ...ofLink,
  path: '/api/friends/requests',
  summary: 'Asks the owner of a link to be friends; asking twice changes nothing',
  reply: Asked,
  errors: [
    'unauthorized',
    'friendLinkEnded',
    'cannotBefriendYourself',
    'tooManyFriendRequests',
    'tooManyFriends',
    'chatMuted',
    'clockWrong',
  ],
  limit: friendRequestsRate,
});

export const askNeighbour = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/friend-requests',
  summary: "Asks somebody in the caller's own room to be friends; asking twice changes nothing",
  access: 'login',
  params: z.object({ roomId: RoomId }),
  body: z.object({ toUserId: UserId }),
  reply: Asked,
  errors: [
    'unauthorized',
    'notSeated',
    'neighbourNotThere',
    'cannotBefriendYourself',
    'tooManyFriendRequests',
    'tooManyFriends',
    'chatMuted',
    'clockWrong',
  ],
  limit: friendRequestsRate,
});

const ofFriend = {
  path: '/api/friends/:friendId',
  access: 'login',
  params: z.object({ friendId: UserId }),
  reply: Friends,
  limit: friendsRate,
} as const satisfies Partial<RouteDefinition>;

export const acceptFriend = route({
  ...ofFriend,
  method: 'PUT',
  summary: 'Accepts a friend request; again changes nothing',
  errors: ['unauthorized', 'friendRequestEnded', 'tooManyFriends', 'clockWrong'],
});

export const removeFriend = route({
  ...ofFriend,
  method: 'DELETE',
  summary:
    'Ends a friendship, declines a request, or withdraws the caller’s own; the other is not told',
  errors: ['unauthorized', 'clockWrong'],
});

export const shareFriendState = route({
  method: 'PUT',
  path: '/api/friends/sharing',
  summary: 'Shows friends the caller’s state and room, if those show theirs; or no longer',
  access: 'login',
  body: z.object({ sharesState: z.boolean() }),
  reply: Friends,
  errors: ['unauthorized', 'userNotFound', 'clockWrong'],
  limit: friendsRate,
});

export const inviteFriend = route({
  method: 'POST',
  path: '/api/friends/:friendId/invitation',
  summary:
    "Invites a friend into the caller's own room; answered alike whether it reaches them. A host's invitation admits them",
  access: 'login',
  params: z.object({ friendId: UserId }),
  reply: z.object({}),
  errors: ['unauthorized', 'notSeated', 'stateNotShared', 'chatMuted', 'clockWrong'],
  limit: { name: 'friendInvitations', max: 20, windowMs: HOUR_MS, per: 'user' },
});

export const declineFriendInvitation = route({
  method: 'DELETE',
  path: '/api/friends/:friendId/invitation',
  summary: 'Declines the invitation of a friend, who is not told',
  access: 'login',
  params: z.object({ friendId: UserId }),
  reply: Friends,
  errors: ['unauthorized'],
  limit: friendsRate,
});
