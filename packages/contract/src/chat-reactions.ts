import * as z from 'zod/mini';
import { RoomId, UserId } from './ids.ts';
import type { BurstRate } from './limits.ts';

/** The reactions that a learner can choose from, in the order of the picker. */
export const reactions = ['like', 'clap', 'fire', 'laugh', 'strong'] as const;
const Reaction = z.enum(reactions);
export type Reaction = z.infer<typeof Reaction>;

/** Reactions to one message: they bound the size of a page of messages. */
export const REACTIONS_PER_MESSAGE = 30;
/** One change a second, with a burst of ten; with `chatRate` never more than six frames a second for long. */
export const reactionRate: BurstRate = { perSecond: 1, burst: 10 };
/** Changes in one frame, of which a returning learner may get several. */
export const REACTIONS_PER_FRAME = 500;
/**
 * Changes that a learner gets at once, the newest ones: more than a page of messages can have, and less than half of
 * what may wait for a client that reads slowly.
 */
export const REACTIONS_PER_ANSWER = 1_500;

/** One person's reaction to one message. Of two, the one with the higher number counts. */
export const ReactionChange = z.object({
  /** The number of the message in its gathering. */
  message: z.number(),
  userId: UserId,
  /** Null: taken back. */
  reaction: z.nullable(Reaction),
  /** Of the change: it counts the changes of all reactions in the gathering. */
  number: z.number(),
});
export type ReactionChange = z.infer<typeof ReactionChange>;

/**
 * The body that a client sends to `/pub/reactions`; the room must be the sender's own. The receipt's header
 * `number` is that of the change; it is missing if nothing has changed.
 */
export const ReactionPayload = z.object({
  roomId: RoomId,
  messageId: z.string().check(z.maxLength(50)),
  /** Replaces the sender's earlier reaction to the message; null takes it back. */
  reaction: z.nullable(Reaction),
});
export type ReactionPayload = z.infer<typeof ReactionPayload>;

/**
 * Messages of `/topic/reactions`. The headers `first-message` and `last-number` of SUBSCRIBE name the oldest
 * message that the client has, and the last change up to which it knows all. Without the latter it gets all
 * reactions to its messages; without both, or in another gathering, those to the newest page of messages.
 */
export const ReactionFrame = z.object({
  roomId: RoomId,
  epoch: z.number(),
  /** `fresh` replaces all that the client knows, `more` and `live` add to it. */
  kind: z.enum(['fresh', 'more', 'live']),
  changes: z.array(ReactionChange),
  /** The client knows every change up to this one. */
  number: z.number(),
});
export type ReactionFrame = z.infer<typeof ReactionFrame>;
