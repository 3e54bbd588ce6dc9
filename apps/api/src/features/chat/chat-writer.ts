import { type ChatPosition, chatMessageId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import {
  brokenUniqueName,
  isConnectionLost,
  retryConflict,
} from '../../platform/database/index.ts';
import type { Appended, ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';

interface ChatWriterParts {
  readonly repository: ChatRepository;
  readonly clock: Clock;
  /** Told what was committed, room by room in the order of numbers. */
  readonly onStored: (messages: readonly StoredMessage[]) => void;
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

const keyOf = ({ senderId, clientId }: Pick<NewMessage, 'senderId' | 'clientId'>) =>
  `${senderId} ${clientId}`;

/**
 * Group commit: the messages of all rooms that arrive while one INSERT is under way share the next.
 * @returns resolves with the place of the message when it is committed and on its way to everybody,
 *   or was so before (then perhaps in another room or gathering); null: its sender does not exist.
 */
export function createChatWriter(
  parts: ChatWriterParts,
): (message: NewMessage) => Promise<ChatPosition | null> {
  const { repository, clock, onStored } = parts;

  async function append(messages: readonly NewMessage[], now: Date): Promise<Appended[]> {
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
      const now = clock.now();
      // Of a resend that is in the batch twice the first is stored.
      const byKey = new Map(messages.toReversed().map((message) => [keyOf(message), message]));
      const places = new Map((await append(messages, now)).map((place) => [keyOf(place), place]));
      const stored = [...places].flatMap(([key, place]) => {
        const message = byKey.get(key);
        return place.isNew && message ? [toStored(place, message.content, now)] : [];
      });
      onStored(stored);
      return messages.map((message) => places.get(keyOf(message)) ?? null);
    },
    BATCH_SIZE,
    { apartMs: BATCHES_APART_MS },
  );
}

function toStored(appended: Appended, content: string, now: Date): StoredMessage {
  const { roomId, epoch, number, senderId, nickname, profileImage } = appended;
  return {
    roomId,
    epoch,
    number,
    message: {
      senderId,
      roomId,
      content,
      timestamp: now.toISOString(),
      nickname,
      profileImage,
      id: chatMessageId(appended),
    },
  };
}
