import type { RoomId, UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';

const KEY_PREFIX = 'mogakgong.chat-outgoing';

/** What is kept of a message that the server has not confirmed. */
const Stored = z.object({
  clientId: z.string(),
  content: z.string(),
  writtenAtMs: z.number(),
  /**
   * The log's last number before it was sent for the first time, while nobody knows whether it
   * arrived; null when it certainly did not.
   */
  triedAfter: z.nullable(z.number()),
  /** Why it was given up, or null. */
  problem: z.nullable(z.string()),
});
export type StoredOutgoing = z.infer<typeof Stored>;

const keyOf = (roomId: RoomId, userId: UserId) => `${KEY_PREFIX}.${roomId}.${userId}`;

/** Keeps what one learner wrote in one room over a reload of the tab. */
export function createOutgoingStore(roomId: RoomId, userId: UserId) {
  const key = keyOf(roomId, userId);
  return {
    load(): StoredOutgoing[] {
      try {
        return z.array(Stored).parse(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
      } catch {
        return [];
      }
    },
    save(messages: readonly StoredOutgoing[]): void {
      try {
        if (messages.length === 0) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(messages));
      } catch {
        // Without storage the messages last as long as the page.
      }
    },
  };
}

export type OutgoingStore = ReturnType<typeof createOutgoingStore>;

/** Forgets what was not sent: who left the room does not speak to those who sit there next. */
export function forgetOutgoing(roomId: RoomId, userId: UserId): void {
  createOutgoingStore(roomId, userId).save([]);
}
