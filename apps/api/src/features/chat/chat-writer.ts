import type { ChatPosition, RoomId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName, retryLost } from '../../platform/database/index.ts';
import type { ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';

interface ChatWriterParts {
  readonly repository: Pick<ChatRepository, 'append'>;
  readonly clock: Clock;
  /** Called with what was committed in a room, in the order of its numbers. */
  readonly onStored: (roomId: RoomId, messages: readonly StoredMessage[]) => void;
}

/** Messages that one INSERT stores at most. */
const BATCH_SIZE = 500;
/**
 * The distance between two commits, in ms. A statement costs as much as a dozen deliveries, and a wait
 * this short is not noticed; a server that is busy delivering waits longer, so that several messages of a
 * room share one write to each connection (decision 034).
 */
const LEAST_APART_MS = 3;
const MOST_APART_MS = 20;
/** The distance, as a multiple of what the last delivery took. */
const DELIVERIES_APART = 2;
/** What of the distance stays after a small batch: the next may be large again. */
const KEPT_SHARE = 0.8;

/**
 * Group commit: the messages of all rooms that arrive while one INSERT is under way share the next.
 * @returns resolves with the place of the message when it is committed and on its way to everybody,
 *   or was so before (then perhaps in another room or gathering); null: its sender does not exist.
 */
export function createChatWriter(
  parts: ChatWriterParts,
): (message: NewMessage) => Promise<ChatPosition | null> {
  const { repository, clock, onStored } = parts;
  let apartMs = LEAST_APART_MS;

  return createBatcher(
    async (messages) => {
      const now = clock.now();
      const { places, stored } = await retryLost(
        () => repository.append(messages, now),
        // Two processes that store one resend at the same moment: a second try finds what was stored.
        (error) => brokenUniqueName(error) === 'chat_message_client',
      );
      const startMs = performance.now();
      for (const [roomId, ofRoom] of Map.groupBy(stored, (message) => message.roomId)) {
        onStored(roomId, ofRoom);
      }
      // Connections are written once a turn of the event loop, before this is called.
      setImmediate(() => {
        const deliveryMs = performance.now() - startMs;
        const wantedMs = Math.max(DELIVERIES_APART * deliveryMs, KEPT_SHARE * apartMs);
        apartMs = Math.min(MOST_APART_MS, Math.max(LEAST_APART_MS, wantedMs));
      });
      return places;
    },
    BATCH_SIZE,
    () => apartMs,
  );
}
