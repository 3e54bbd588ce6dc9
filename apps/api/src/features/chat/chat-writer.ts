import type { ChatPosition, RoomId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import {
  brokenUniqueName,
  isConnectionLost,
  retryConflict,
} from '../../platform/database/index.ts';
import type { Appended, ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';

interface ChatWriterParts {
  readonly repository: Pick<ChatRepository, 'append'>;
  readonly clock: Clock;
  /** Called with what was committed in a room, in the order of its numbers. */
  readonly onStored: (roomId: RoomId, messages: readonly StoredMessage[]) => void;
}

/** Messages that one INSERT stores at most. */
const BATCH_SIZE = 500;
/**
 * A busy server stores every so often: a statement costs as much as a dozen deliveries, and a wait
 * this short is not seen.
 */
const BATCHES_APART_MS = 3;
/**
 * Two processes that store one resend at the same moment collide, and a connection may break before
 * its answer has come: the second look finds what was stored.
 */
const TRIES = 3;

/**
 * Group commit: the messages of all rooms that arrive while one INSERT is under way share the next.
 * @returns resolves with the place of the message when it is committed and on its way to everybody,
 *   or was so before (then perhaps in another room or gathering); null: its sender does not exist.
 */
export function createChatWriter(
  parts: ChatWriterParts,
): (message: NewMessage) => Promise<ChatPosition | null> {
  const { repository, clock, onStored } = parts;

  async function append(messages: readonly NewMessage[], now: Date): Promise<Appended> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await retryConflict(() => repository.append(messages, now));
      } catch (error) {
        const isToBeRepeated =
          brokenUniqueName(error) === 'chat_message_client' || isConnectionLost(error);
        if (attempt === TRIES || !isToBeRepeated) throw error;
      }
    }
  }

  return createBatcher(
    async (messages) => {
      const { places, stored } = await append(messages, clock.now());
      for (const [roomId, ofRoom] of Map.groupBy(stored, (message) => message.roomId)) {
        onStored(roomId, ofRoom);
      }
      return places;
    },
    BATCH_SIZE,
    () => BATCHES_APART_MS,
  );
}
