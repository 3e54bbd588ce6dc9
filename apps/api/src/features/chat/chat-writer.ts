import { chatMessageId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName } from '../../platform/database/index.ts';
import type { UsersService } from '../users/index.ts';
import type { Appended, ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';

/** A message as its sender gave it. */
export type SentMessage = Omit<NewMessage, 'card'>;

interface ChatWriterParts {
  readonly repository: ChatRepository;
  readonly users: UsersService;
  readonly clock: Clock;
  /** Told what was committed, room by room in the order of numbers. */
  readonly onStored: (messages: readonly StoredMessage[]) => void;
}

/** Messages that one INSERT stores at most. */
const BATCH_SIZE = 500;
/** Two processes that store one resend at the same moment collide; the second look finds it stored. */
const TRIES = 3;

const keyOf = ({ senderId, clientId }: Pick<SentMessage, 'senderId' | 'clientId'>) =>
  `${senderId} ${clientId}`;

/**
 * Group commit: the messages of all rooms that arrive while one INSERT is under way share the next.
 * @returns resolves when the message is committed and on its way to everybody.
 */
export function createChatWriter(parts: ChatWriterParts): (message: SentMessage) => Promise<void> {
  const { repository, users, clock, onStored } = parts;

  async function append(messages: readonly NewMessage[], now: Date): Promise<Appended[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await repository.append(messages, now);
      } catch (error) {
        if (attempt === TRIES || brokenUniqueName(error) !== 'chat_message_client') throw error;
      }
    }
  }

  return createBatcher(async (sent) => {
    const cards = await users.findCards([...new Set(sent.map((message) => message.senderId))]);
    const messages = sent.flatMap((message) => {
      const card = cards.get(message.senderId);
      return card ? [{ ...message, card }] : [];
    });
    const now = clock.now();
    const byKey = new Map(messages.map((message) => [keyOf(message), message]));
    const stored = (await append(messages, now)).flatMap((appended) => {
      const message = byKey.get(keyOf(appended));
      return appended.isNew && message ? [toStored(appended, message, now)] : [];
    });
    onStored(stored.toSorted((a, b) => a.roomId - b.roomId || a.number - b.number));
    return sent.map(() => undefined);
  }, BATCH_SIZE);
}

function toStored(position: Appended, { card, ...sent }: NewMessage, now: Date): StoredMessage {
  const { roomId, epoch, number } = position;
  return {
    roomId,
    epoch,
    number,
    message: {
      senderId: sent.senderId,
      roomId,
      content: sent.content,
      timestamp: now.toISOString(),
      ...card,
      id: chatMessageId(position),
    },
  };
}
