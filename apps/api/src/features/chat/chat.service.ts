import { randomUUID } from 'node:crypto';
import {
  CHAT_KEPT_DAYS,
  CHAT_MESSAGE_MAX_LENGTH,
  CHAT_PAGE_SIZE,
  type ChatMessage,
  ChatPayload,
  type ChatPosition,
  chatContent,
  chatFlood,
  chatMessageId,
  chatRate,
  destinations,
  parseChatMessageId,
  type RoomId,
  recoveryRate,
  type UserId,
  WITHHELD_SENDER_ID,
} from '@mogakgong/contract';
import { type Message, Receipt } from '@mogakgong/stomp';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName, retryLost } from '../../platform/database/index.ts';
import { ApiError, requireAllowed } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { inSpan } from '../../platform/traces/index.ts';
import type { BlockedPairs, LearnerBlocks } from '../blocks/index.ts';
import {
  type Entrance,
  jsonMessage,
  type RealtimeHub,
  RoomTopic,
  type SeatWatch,
  type Sent,
  type Subscription,
} from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { ChatRepository, NewMessage, StoredMessage } from './chat.repository.ts';
import { createHistoryLoader } from './history-loader.ts';
import { fitting, RoomLog } from './room-log.ts';

const HIDDEN_SENDERS_CHANNEL = 'hidden-senders';
const DAY_MS = 24 * 60 * 60_000;
const CLIENT_ID = /^[\w-]{1,64}$/u;

type Limiter = ReturnType<Limits['local']>;

export interface ChatUses {
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly pairs: BlockedPairs;
}

interface ChatParts extends AppContext, ChatUses {
  readonly repository: ChatRepository;
}

/** The chat of the learner's own room: stored first, then delivered, in one order for everybody. */
export class ChatService {
  readonly #parts: ChatParts;
  readonly #topic: RoomTopic<StoredMessage, RoomLog>;
  /** Subscriptions that asked for history: they get it again when their learner moves. */
  readonly #withHistory = new WeakSet<Subscription>();
  readonly #write: (message: SentMessage) => Promise<ChatPosition | null>;
  /** A learner's messages, and subscriptions that ask for history. */
  readonly #messages: Limiter;
  readonly #recoveries: Limiter;
  /** Refused messages (sent too fast). */
  readonly #refusals: ReturnType<Limits['shared']>;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { hub, pairs, repository, clock, backplane, limits, logger } = parts;
    this.#messages = limits.local(chatRate);
    this.#recoveries = limits.local(recoveryRate);
    this.#refusals = limits.shared('chat flood', chatFlood);
    const onFailure = (error: unknown) => logger.error({ err: error }, 'chat failed');
    const history = createHistoryLoader(repository);
    this.#topic = new RoomTopic<StoredMessage, RoomLog>({
      ...parts,
      destination: destinations.messages,
      openFeed: (gathering) =>
        new RoomLog({
          ...history,
          gathering,
          publish: (message) =>
            this.#topic.deliver(
              gathering.roomId,
              toMessage(message),
              [message.senderId],
              (viewer) => toMessage(messageFor(pairs.of(viewer), message)),
            ),
          onFailure,
        }),
      onEnter: (entrance) => this.#enter(entrance),
      findNumbers: (gatherings) => repository.findLastNumbers(gatherings),
      onFailure,
    });
    this.#write = createChatWriter({
      repository,
      clock,
      metrics: parts.metrics,
      onStored: (roomId, messages) => this.#topic.publish(roomId, messages),
    });
    backplane.subscribe(HIDDEN_SENDERS_CHANNEL, (userId: UserId) => {
      for (const log of this.#topic.feeds()) log.hideSender(userId);
    });
    hub.addSendHandler(destinations.sendChat, ChatPayload, (sent) => this.#send(sent));
  }

  /** Hides the messages of an account that is going to be deleted, as the queries do; in every process. */
  hideSender(userId: UserId): void {
    this.#parts.backplane.publish(HIDDEN_SENDERS_CHANNEL, userId);
  }

  /** A page of the caller's own gathering before a message that they have. */
  async findBefore(userId: UserId, beforeId: string) {
    const position = parseChatMessageId(beforeId);
    if (!position) throw new ApiError('invalidRequest');
    const { seats, pairs, repository } = this.#parts;
    const [seat, blocks] = await Promise.all([seats.confirmedSeatOf(userId), pairs.find(userId)]);
    if (seat?.roomId !== position.roomId || seat.epoch !== position.epoch) {
      throw new ApiError('notSeated');
    }
    const page = fitting(await repository.findBefore(position, CHAT_PAGE_SIZE));
    return {
      messages: page.map(({ message }) => messageFor(blocks, message)),
      hasOlder: (page[0]?.number ?? 1) > 1,
    };
  }

  /** Deletes expired messages. */
  async deleteOld(): Promise<void> {
    const until = new Date(this.#parts.clock.now().getTime() - CHAT_KEPT_DAYS * DAY_MS);
    const { repository } = this.#parts;
    await repository.deleteSentBefore(until);
    await repository.deleteIdleCounters();
  }

  close(): void {
    this.#topic.close();
  }

  /** The RECEIPT names the message that was stored, now or by an earlier sending. */
  async #send({ session, headers, payload, pathRoomId }: Sent<ChatPayload>): Promise<Receipt> {
    const receivedMs = performance.now();
    const { userId } = session.principal;
    if (payload.senderId !== userId) throw new ApiError('notYourself');
    const seat = await this.#topic.seatFor(userId, pathRoomId, payload.roomId);
    const content = chatContent(payload.content);
    if (content === null) throw new ApiError('invalidRequest');
    // Characters, of which a text may have fewer than code units.
    const isLong = content.length > CHAT_MESSAGE_MAX_LENGTH;
    if (isLong && [...content].length > CHAT_MESSAGE_MAX_LENGTH) throw new ApiError('chatTooLong');
    const clientId = headers.get('client-id') ?? randomUUID();
    if (!CLIENT_ID.test(clientId)) throw new ApiError('invalidRequest');
    const { roomId, epoch } = seat;
    this.#parts.sanctions.standing.refuseMuted(userId, 'chatMuted');
    if ((await waitMsOf(this.#messages.consume(userId))) > 0)
      await this.#refuseFast(userId, roomId);
    const message = { roomId, epoch, senderId: userId, clientId, content };
    const place = await this.#write({ ...message, receivedMs });
    if (!place) throw new ApiError('userNotFound');
    const isHere = place.roomId === roomId && place.epoch === epoch;
    if (!isHere) throw new ApiError('chatSentElsewhere');
    return new Receipt([['message-id', chatMessageId(place)]]);
  }

  /** @throws ApiError `chatTooFast`. Repeated refusals mute the learner for a while. */
  async #refuseFast(userId: UserId, roomId: RoomId): Promise<never> {
    const isFlood = (await waitMsOf(this.#refusals.consume(userId))) > 0;
    if (isFlood) await this.#parts.sanctions.sanctionFlood({ userId, roomId });
    throw new ApiError('chatTooFast');
  }

  async #enter({ subscription, seat, feed, frame, enter }: Entrance<RoomLog>): Promise<void> {
    const lastId = frame?.headers.get('last-id') ?? null;
    if (lastId !== null) {
      await requireAllowed(this.#recoveries.consume(seat.userId));
      this.#withHistory.add(subscription);
    }
    await feed.ready();
    if (!this.#withHistory.has(subscription)) {
      enter();
      return;
    }
    await feed.giveRecovery(lastId ?? '', (recovery) => {
      const blocks = this.#parts.pairs.of(seat.userId);
      const messages = recovery.messages.map((message) => messageFor(blocks, message));
      const id = `recovery-${subscription.session.id}`;
      enter(jsonMessage(id, { ...recovery, messages }, [['kind', 'recovery']]));
    });
  }
}

function toMessage(message: ChatMessage): Message {
  return jsonMessage(message.id, message);
}

/** A message as a learner may see it: behind a block its place without its text. */
function messageFor({ blocks, apart }: LearnerBlocks, message: ChatMessage): ChatMessage {
  if (!apart.has(message.senderId)) return message;
  const senderId = blocks.has(message.senderId) ? message.senderId : WITHHELD_SENDER_ID;
  return { ...message, senderId, content: '', nickname: '', profileImage: '', isWithheld: true };
}

/** A message, with the arrival of its SEND by `performance.now()`. */
interface SentMessage extends NewMessage {
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
