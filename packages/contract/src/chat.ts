import * as z from 'zod/mini';
import { ReactionChange } from './chat-reactions.ts';
import { MINUTE_MS } from './durations.ts';
import { RoomId, UserId } from './ids.ts';
import type { BurstRate } from './limits.ts';
import { route } from './route.ts';

/** Longest chat message after trimming, in characters as people count them (design §4). */
export const CHAT_MESSAGE_MAX_LENGTH = 2_000;
/** Messages that a chat list keeps at most (specification §9). */
export const CHAT_LIST_MAX = 500;
/** Messages in a page of history. */
export const CHAT_PAGE_SIZE = 50;
/** How long messages are kept (design §4). */
export const CHAT_KEPT_DAYS = 30;
/** One message a second, with a burst of five (design §9). */
export const chatRate: BurstRate = { perSecond: 1, burst: 5 };
/** Refused messages (sent too fast) in a window, before their sender is muted for a while. */
export const chatFlood = { max: 20, windowMs: 60_000 } as const;
/**
 * How often a learner's subscriptions may ask for history, in all tabs together: once for each tab and
 * connect, which even five tabs on a bad line do not reach. Beyond it the answer is `tooManyRequests`.
 */
export const recoveryRate: BurstRate = { perSecond: 1, burst: 20 };

/** Characters of a quoted message that a reply shows. */
export const CHAT_QUOTE_MAX_LENGTH = 120;

/** Stands in for a sender that a block hides from the receiver: no learner has this id. */
export const WITHHELD_SENDER_ID = UserId.parse(Number.MAX_SAFE_INTEGER);

/** The beginning of an earlier message of the gathering, as a reply shows it. */
export const ChatQuote = z.object({
  /** The id of the quoted message. */
  id: z.string(),
  senderId: UserId,
  nickname: z.string(),
  content: z.string(),
  /**
   * Why there is neither text nor name: a block stands between its sender and the receiver, or the message is
   * deleted. The sender's id is as in a withheld message; of a deleted one it is `WITHHELD_SENDER_ID`.
   */
  hidden: z.optional(z.enum(['blocked', 'gone'])),
});
export type ChatQuote = z.infer<typeof ChatQuote>;

/**
 * A message as the server delivers it: the specification's four fields, then its sender and its
 * position in the room.
 */
export const ChatMessage = z.object({
  senderId: UserId,
  roomId: RoomId,
  content: z.string(),
  /** ISO 8601, by the server's clock. */
  timestamp: z.string(),
  nickname: z.string(),
  profileImage: z.string(),
  /** `<room>-<epoch>-<number>`; the number counts without gaps within a room's epoch. */
  id: z.string(),
  /**
   * Set when a block stands between sender and receiver: the message keeps its place, without text and name.
   * The blocking learner gets the sender's id, the blocked one `WITHHELD_SENDER_ID`.
   */
  isWithheld: z.optional(z.literal(true)),
  /** The message that this one answers. */
  quote: z.optional(ChatQuote),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** The body that a client sends to `/pub/chat`; room and sender must be its own, the time is ignored. */
export const ChatPayload = z.object({
  senderId: UserId,
  roomId: RoomId,
  content: z.string(),
  timestamp: z.optional(z.union([z.string(), z.number()])),
  /** The id of the message that this one answers, of the same gathering. */
  quotedId: z.optional(z.string().check(z.maxLength(50))),
});
export type ChatPayload = z.infer<typeof ChatPayload>;

/** The position of a message: its room, the room's epoch, and its number in it. */
export interface ChatPosition {
  readonly roomId: RoomId;
  readonly epoch: number;
  readonly number: number;
}

export function chatMessageId({ roomId, epoch, number }: ChatPosition): string {
  return `${roomId}-${epoch}-${number}`;
}

/** The position in a message id, or null if the id is malformed. */
export function parseChatMessageId(id: string): ChatPosition | null {
  const match = /^([1-9]\d{0,15})-(\d{1,9})-(\d{1,15})$/u.exec(id);
  if (!match) return null;
  const roomId = RoomId.safeParse(Number(match[1]));
  if (!roomId.success) return null;
  return { roomId: roomId.data, epoch: Number(match[2]), number: Number(match[3]) };
}

/**
 * The first MESSAGE of a subscription that asks to continue (header `last-id`, empty for "from now on with a
 * page of history"): the missed messages in order, or a fresh page with `recovered: false`.
 */
export const ChatRecovery = z.object({
  kind: z.literal('recovery'),
  recovered: z.boolean(),
  messages: z.array(ChatMessage),
  /** Whether older messages of this epoch can be fetched. */
  hasOlder: z.boolean(),
  /** Number of the last message that the learner has read on any device, in this visit; 0 before the first. */
  readNumber: z.optional(z.number()),
});
export type ChatRecovery = z.infer<typeof ChatRecovery>;

export const getChatHistory = route({
  method: 'GET',
  path: '/api/chat/messages',
  summary: "Older messages of the caller's own room, oldest first",
  access: 'login',
  query: z.object({
    /** The oldest message the caller has. */
    before: z.string().check(z.maxLength(50)),
  }),
  reply: z.object({
    messages: z.array(ChatMessage),
    hasOlder: z.boolean(),
    /** The reactions to these messages. */
    reactions: z.optional(z.array(ReactionChange)),
  }),
  errors: ['unauthorized', 'notSeated'],
  limit: { name: 'chatHistory', max: 60, windowMs: MINUTE_MS, per: 'user' },
});

export const markChatRead = route({
  method: 'PUT',
  path: '/api/chat/read',
  summary:
    'Notes the last message that the caller has read in their own room, for their other devices',
  access: 'login',
  body: z.object({ messageId: z.string().check(z.maxLength(50)) }),
  reply: z.object({}),
  errors: ['unauthorized', 'notSeated'],
  limit: { name: 'chatRead', max: 60, windowMs: MINUTE_MS, per: 'user' },
});

/** A visible character: no space, control or format sign, mark without a letter, or blank like U+3164. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Embeddings, overrides and isolates of writing direction, with their ends. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Three lines or more, one after another, without a visible character. */
const MANY_BLANK_LINES =
  /\n(?:(?:(?!\n)[\s\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800])*\n){3,}/gu;

/**
 * A text of a learner as others may see it. Both ends do the same:
 * - half a surrogate pair becomes U+FFFD, as PostgreSQL and other decoders do;
 * - control characters but line breaks and tabs are left out: they are invisible, and NUL cannot be
 *   stored; so are U+FFFE and U+FFFF, which no XML may hold;
 * - so are the controls of writing direction: one that is not closed reverses text
 *   after the message, and an override displays other words than were written. Right-to-left scripts
 *   do not need them.
 */
export function shownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u2028\u2029]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replace(DIRECTION_CONTROLS, '');
}

/**
 * The text that is sent as a message, or null when there is nothing to send. Both ends do the same:
 * - it is trimmed (specification §5), and invisible text is not sent: zero-width characters, fillers
 *   and marks without a letter show an empty bubble;
 * - more than two blank lines become two: a message must not push the others off the screen.
 */
export function chatContent(text: string): string | null {
  const content = shownText(text).replace(MANY_BLANK_LINES, '\n\n\n').trim();
  return VISIBLE.test(content) ? content : null;
}
