import * as z from 'zod/mini';
import { Today } from './focus/today.ts';
import { DatedGoal } from './goals/goals.ts';
import { RoomId, UserId } from './ids.ts';
import { WonTitle } from './titles/titles.ts';

/** The WebSocket that carries chat, presence, the board and notices (specification §7). */
export const REALTIME_PATH = '/ws/websocket';

/**
 * STOMP destinations. Those of a room deliver what happens in the room the learner sits in; the
 * same with `/{roomId}` behind it is accepted for that room.
 */
export const destinations = {
  messages: '/topic/messages',
  presence: '/topic/presence',
  board: '/topic/board',
  notices: '/user/queue/notices',
  sendChat: '/pub/chat',
  sendBoard: '/pub/board',
} as const;

/** Heart-beats offered each way (specification §9). */
export const HEART_BEAT_MS = 4_000;
/** How long the server tolerates a silent client: browsers slow hidden tabs (design §2). */
export const FORGIVEN_SILENCE_MS = 90_000;
/** How long a client whose token came with the upgrade may take to send CONNECT. */
export const CONNECT_DEADLINE_MS = 10_000;
/** Wait before a client connects again (specification §9); jittered, then longer. */
export const RECONNECT_DELAY_MS = 5_000;
export const RECONNECT_DELAY_MAX_MS = 30_000;
/** Connections one learner may have at once at one server process (design §4). */
export const SOCKETS_PER_USER = 5;
/**
 * Before the access token in a WebSocket sub-protocol of the upgrade: browsers can set no header there,
 * and addresses are logged (decision 107).
 */
export const TOKEN_SUB_PROTOCOL = 'bearer.';
/**
 * Connections whose clients have shown no valid token yet: in one network (an IPv4 address, /24 and /16;
 * /64, /56 and /48 of IPv6) and in total. One more closes the oldest. And how long each has to show one
 * in its CONNECT frame (decision 107).
 */
export const unconnectedLimits = {
  perNetwork: [50, 200, 500],
  total: 2_000,
  deadlineMs: 3_000,
} as const;

/** What `/user/queue/notices` delivers to one learner, in every tab. */
export const Notice = z.discriminatedUnion('kind', [
  /** Whom the learner blocks now. */
  z.object({ kind: z.literal('blocks'), blockedIds: z.array(UserId) }),
  /** `degraded`: messages from learners at other processes arrive late; nothing is lost. */
  z.object({ kind: z.literal('delivery'), state: z.enum(['whole', 'degraded']) }),
  /** What the learner studied today; sent whenever their status changes. */
  z.extend(Today, { kind: z.literal('today') }),
  /** The learner's goal changed in one of their tabs. */
  z.extend(DatedGoal, { kind: z.literal('goal') }),
  /** The learner's subjects, or the current one, have changed: `getSubjects` says what they are now. */
  z.object({ kind: z.literal('subjects') }),
  /** Something that the learner reported was decided: `getOwnReports` says how. */
  z.object({ kind: z.literal('reportDecided') }),
  /** A title was won just now. */
  z.object({ kind: z.literal('titleWon'), title: WonTitle }),
  /** What was decided about the learner has changed: `getOwnSanctions` says what it is now. */
  z.object({ kind: z.literal('sanctions') }),
  /** To the host of a room: who waits to be let in has changed. */
  z.object({ kind: z.literal('roomGuests'), roomId: RoomId }),
  /** What the camera rule of the room does: `warned` before it changes anything (decision 084). */
  z.object({
    kind: z.literal('cameraRule'),
    roomId: RoomId,
    step: z.enum(['warned', 'away', 'back']),
    /** The camera is on, but its picture is black. */
    isBlack: z.boolean(),
  }),
  /** Somebody in the room nods to the learner: one quiet gesture, stored nowhere (decision 093). */
  z.object({ kind: z.literal('nod'), roomId: RoomId, fromUserId: UserId }),
  /** Friends or requests have changed: `getFriends` says how. `news` is about somebody who asked or said yes. */
  z.object({
    kind: z.literal('friends'),
    news: z.nullable(z.object({ what: z.enum(['asked', 'accepted']), nickname: z.string() })),
  }),
  /** A vote about the board of the room has opened; the topic of the board, for who has it open, says more. */
  z.object({ kind: z.literal('boardVote'), roomId: RoomId }),
  /** The learner does not sit in a hosted room any more, and why. */
  z.object({
    kind: z.literal('seatLost'),
    roomId: RoomId,
    reason: z.enum(['closed', 'removed', 'cameraOff']),
  }),
]);
export type Notice = z.infer<typeof Notice>;
