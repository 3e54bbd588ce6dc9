import * as z from 'zod/mini';
import { Today } from './focus/clock.ts';
import { DatedGoal } from './goals/goals.ts';
import { GroupId, RoomId, UserId } from './ids.ts';
import { ServerTimeMs } from './server-time.ts';
import { WonTitle } from './titles/titles.ts';

/** The WebSocket that carries chat, presence, the board and notices (specification §7). */
export const REALTIME_PATH = '/ws/websocket';

/**
 * STOMP destinations. Those of a room deliver events of the room in which the learner sits; the same with
 * `/{roomId}` appended is accepted for that room.
 */
export const destinations = {
  messages: '/topic/messages',
  reactions: '/topic/reactions',
  presence: '/topic/presence',
  board: '/topic/board',
  notices: '/user/queue/notices',
  sendChat: '/pub/chat',
  sendReaction: '/pub/reactions',
  sendBoard: '/pub/board',
} as const;

/** Heart-beats offered each way (specification §9). */
export const HEART_BEAT_MS = 4_000;
/** How long the server tolerates a silent client: browsers slow hidden tabs (design §2). */
export const FORGIVEN_SILENCE_MS = 90_000;
/** Time until CONNECT for a client with its token in the upgrade. */
export const CONNECT_DEADLINE_MS = 10_000;
/** Wait before a client connects again (specification §9); jittered, then longer. */
export const RECONNECT_DELAY_MS = 5_000;
export const RECONNECT_DELAY_MAX_MS = 30_000;
/** Connections of one learner at once, at one server process (design §4). */
export const SOCKETS_PER_USER = 5;
/**
 * Prefix of the access token in a WebSocket sub-protocol of the upgrade: browsers cannot set headers there,
 * and addresses are logged (decision 107).
 */
export const TOKEN_SUB_PROTOCOL = 'bearer.';
/**
 * Connections whose clients have shown no valid token yet: in one network (an IPv4 address, /24 and /16; /64,
 * /56 and /48 of IPv6) and in total. One more closes the oldest. And the time each has to show one in its
 * CONNECT frame (decision 107).
 */
export const unconnectedLimits = {
  perNetwork: [50, 200, 500],
  total: 2_000,
  deadlineMs: 3_000,
} as const;

/** Messages of `/user/queue/notices` to one learner, in every tab. */
export const Notice = z.discriminatedUnion('kind', [
  /** The learners that this learner blocks now. */
  z.object({ kind: z.literal('blocks'), blockedIds: z.array(UserId) }),
  /** `degraded`: messages from learners at other processes arrive late; nothing is lost. */
  z.object({ kind: z.literal('delivery'), state: z.enum(['whole', 'degraded']) }),
  /** The learner's study time of today; sent whenever their status changes. */
  z.extend(Today, { kind: z.literal('today') }),
  /** The learner's goal changed in one of their tabs. */
  z.extend(DatedGoal, { kind: z.literal('goal') }),
  /** Data of the learner has changed: the browser reads its query `what` below `learnerKey` again. */
  z.object({ kind: z.literal('changed'), what: z.string() }),
  /** A report by the learner was decided: see `getOwnReports`. */
  z.object({ kind: z.literal('reportDecided') }),
  /** A title was won just now. */
  z.object({ kind: z.literal('titleWon'), title: WonTitle }),
  /** An action of the room's camera rule: `warned` comes before any change (decision 084). */
  z.object({
    kind: z.literal('cameraRule'),
    roomId: RoomId,
    step: z.enum(['warned', 'away', 'back']),
    /** The camera is on, but its picture is black. */
    isBlack: z.boolean(),
  }),
  /** The learner has read the chat up to this message, in one of their tabs. */
  z.object({ kind: z.literal('chatRead'), messageId: z.string() }),
  /** Another learner in the room nods to this one; stored nowhere (decision 093). */
  z.object({ kind: z.literal('nod'), roomId: RoomId, fromUserId: UserId }),
  /** Friends or requests have changed: see `getFriends`. `news` names a new request or acceptance. */
  z.object({
    kind: z.literal('friends'),
    news: z.nullable(z.object({ what: z.enum(['asked', 'accepted']), nickname: z.string() })),
  }),
  /** A friend invites this learner into the room in which they sit: see `getFriends`. */
  z.object({ kind: z.literal('friendInvitation'), nickname: z.string(), roomId: RoomId }),
  /** A member of a group misses this learner. */
  z.object({
    kind: z.literal('nudge'),
    groupId: GroupId,
    groupName: z.string(),
    nickname: z.string(),
  }),
  /** Another leader has made this learner a leader of a group; they may step down. */
  z.object({
    kind: z.literal('groupLed'),
    groupId: GroupId,
    groupName: z.string(),
    nickname: z.string(),
  }),
  /** A session that the learner comes to begins soon. */
  z.object({
    kind: z.literal('groupSession'),
    groupId: GroupId,
    groupName: z.string(),
    startsAtMs: ServerTimeMs,
  }),
  /** Somebody else in the room has cleared its board, or brought it back. */
  z.object({
    kind: z.literal('board'),
    roomId: RoomId,
    what: z.enum(['cleared', 'broughtBack']),
    /** Null: a block hides them. */
    by: z.nullable(UserId),
  }),
  /** The room has moved to another media server: the browser asks for a new token and connects again. */
  z.object({ kind: z.literal('mediaMoved'), roomId: RoomId }),
  /** The learner has lost their seat in a hosted room, with the reason. */
  z.object({
    kind: z.literal('seatLost'),
    roomId: RoomId,
    reason: z.enum(['closed', 'removed', 'cameraOff']),
  }),
]);
export type Notice = z.infer<typeof Notice>;
