import type { ChatPosition, RoomId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName, retryLost } from '../../platform/database/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { inSpan } from '../../platform/traces/index.ts';
import type { ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';

/** A message, with the arrival of its SEND by `performance.now()`. */
export interface SentMessage extends NewMessage {
  readonly receivedMs: number;
}

interface ChatWriterParts {
  readonly repository: Pick<ChatRepository, 'append'>;
  readonly clock: Clock;
  readonly metrics: Metrics | null;
  /** Called with the committed messages of a room, in the order of their numbers. */
  readonly onStored: (roomId: RoomId, messages: readonly StoredMessage[]) => void;
}

/** Maximum number of messages of one INSERT. */
const BATCH_SIZE = 500;
/**
 * Minimum interval between two commits, in ms. A statement costs as much as a dozen deliveries, and a wait
 * this short is imperceptible; a server that is busy delivering waits longer, so that several messages of a
 * room share one write to each connection (decision 034).
 */
const LEAST_APART_MS = 3;
const MOST_APART_MS = 20;
/** The interval, as a multiple of the duration of the last delivery. */
const DELIVERIES_APART = 2;
/** Share of the interval that stays after a small batch: the next may be large again. */
const KEPT_SHARE = 0.8;

/**
 * Group commit: the messages of all rooms that arrive during one INSERT share the next.
 * @returns resolves with the place of the message when it is committed and about to be delivered, or with its
 *   earlier place (perhaps in another room or gathering) if it was stored before; null: its sender does not
 *   exist.
 */
export function createChatWriter(
  parts: ChatWriterParts,
): (message: SentMessage) => Promise<ChatPosition | null> {
  const { repository, clock, metrics, onStored } = parts;
  let apartMs = LEAST_APART_MS;

  return createBatcher(
    async (messages) => {
      const now = clock.now();
      const { places, stored } = await retryLost(
        () =>
          inSpan('chat commit', { messages: messages.length }, () =>
            repository.append(messages, now),
          ),
        // Two processes that store the same resend at once: a second try finds the stored message.
        (error) => brokenUniqueName(error) === 'chat_message_client',
      );
      metrics?.chatCommitMessages.observe(messages.length);
      observeSince(metrics?.chatCommit, messages);
      const startMs = performance.now();
      for (const [roomId, ofRoom] of Map.groupBy(stored, (message) => message.roomId)) {
        onStored(roomId, ofRoom);
      }
      // Connections are flushed once per turn of the event loop, before this is called.
      setImmediate(() => {
        observeSince(metrics?.chatDelivery, messages);
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

function observeSince(
  seconds: Metrics['chatCommit'] | undefined,
  messages: readonly SentMessage[],
): void {
  if (!seconds) return;
  const nowMs = performance.now();
  for (const { receivedMs } of messages) seconds.observe((nowMs - receivedMs) / 1_000);
}
