import { randomUUID } from 'node:crypto';
import {
  CHAT_KEPT_DAYS,
  CHAT_MESSAGE_MAX_LENGTH,
  CHAT_PAGE_SIZE,
  type ChatMessage,
  ChatPayload,
  type ChatPosition,
  type ChatQuote,
  chatContent,
  chatFlood,
  chatMessageId,
  chatRate,
  DAY_MS,
  destinations,
  parseChatMessageId,
  type RoomId,
  recoveryRate,
  type UserId,
} from '@mogakgong/contract';
import { type Message, Receipt } from '@mogakgong/stomp';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, requireAllowed } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import {
  type Entrance,
  jsonMessage,
  type RealtimeHub,
  RoomTopic,
  type SeatWatch,
  type Sent,
  type Subscription,
} from '../realtime/index.ts';
import type { Seat } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { ChatRepository, StoredMessage } from './chat.repository.ts';
import { createChatWriter, type SentMessage } from './chat-writer.ts';
import { messageFor } from './hidden-messages.ts';
import { createHistoryLoader } from './history-loader.ts';
import { fitting, RoomLog } from './room-log.ts';

const HIDDEN_SENDERS_CHANNEL = 'hidden-senders';
const CLIENT_ID = /^[\w-]{1,64}$/u;

type Limiter = ReturnType<Limits['local']>;

export interface ChatUses {
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly pairs: BlockedPairs;
}

interface ChatParts extends AppContext, ChatUses {
  readonly repository: ChatRepository;
  /** The last message that a seated learner has read. */
  readonly findReadNumber: (userId: UserId) => Promise<number>;
}

/** The moment of the oldest messages that are kept. */
const oldestKept = (clock: Clock) => new Date(clock.now().getTime() - CHAT_KEPT_DAYS * DAY_MS);

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
              [message.senderId, ...(message.quote ? [message.quote.senderId] : [])],
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
    backplane.subscribe(HIDDEN_SENDERS_CHANNEL, (userId: UserId) => this.#hideHere(userId));
    hub.addSendHandler(destinations.sendChat, ChatPayload, (sent) => this.#send(sent));
  }

  /** Hides the messages of an account that is going to be deleted, as the queries do; in every process. */
  hideSender(userId: UserId): void {
    this.#parts.backplane.publish(HIDDEN_SENDERS_CHANNEL, userId);
  }

  #hideHere(userId: UserId): void {
    for (const log of this.#topic.feeds()) log.hideSender(userId);
  }

  /**
   * Repeated in every process: forgets messages that are hidden or too old in the database, since the event of
   * `hideSender` may be lost.
   */
  async forgetDeleted(): Promise<void> {
    const { repository, checkedClock } = this.#parts;
    const logs = this.#topic.feeds();
    const senders = new Set(logs.flatMap((log) => log.senders));
    if (senders.size > 0) {
      for (const userId of await repository.findHidden([...senders])) this.#hideHere(userId);
    }
    const oldest = oldestKept(checkedClock).toISOString();
    for (const log of logs) log.forgetBefore(oldest);
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
    const found = await repository.findBefore(position, CHAT_PAGE_SIZE);
    const page = fitting(found.messages);
    const first = page[0]?.number ?? 1;
    return {
      messages: page.map(({ message }) => messageFor(blocks, message)),
      hasOlder: first > 1,
      reactions: found.reactions.filter(
        ({ message, userId: by }) => message >= first && !blocks.apart.has(by),
      ),
    };
  }

  /** Deletes expired messages. */
  async deleteOld(): Promise<void> {
    const { repository } = this.#parts;
    await repository.deleteSentBefore(oldestKept(this.#parts.clock));
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
    this.#parts.sanctions.inForce.refuseMuted(userId, 'chatMuted');
    if ((await waitMsOf(this.#messages.consume(userId))) > 0)
      await this.#refuseFast(userId, roomId);
    const { quotedId } = payload;
    const quote = quotedId === undefined ? null : await this.quote(seat, quotedId);
    const message = { roomId, epoch, senderId: userId, clientId, content, quote };
    const place = await this.#write({ ...message, receivedMs });
    if (!place) throw new ApiError('userNotFound');
    const isHere = place.roomId === roomId && place.epoch === epoch;
    if (!isHere) throw new ApiError('chatSentElsewhere');
    return new Receipt([['message-id', chatMessageId(place)]]);
  }

  /**
   * A message of a learner's own gathering that they can read, as a reply quotes it.
   * @throws ApiError `chatQuoteGone`.
   */
  async quote({ userId, roomId, epoch }: Seat, messageId: string): Promise<ChatQuote> {
    const position = parseChatMessageId(messageId);
    const isHere = position?.roomId === roomId && position.epoch === epoch;
    const quote = isHere ? await this.#parts.repository.findQuote(position) : null;
    if (!quote || this.#parts.pairs.of(userId).apart.has(quote.senderId)) {
      throw new ApiError('chatQuoteGone');
    }
    return quote;
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
    const readNumber = await this.#parts.findReadNumber(seat.userId);
    await feed.giveRecovery(lastId ?? '', (recovery) => {
      const blocks = this.#parts.pairs.of(seat.userId);
      const messages = recovery.messages.map((message) => messageFor(blocks, message));
      const id = `recovery-${subscription.session.id}`;
      enter(jsonMessage(id, { ...recovery, messages, readNumber }, [['kind', 'recovery']]));
    });
  }
}

function toMessage(message: ChatMessage): Message {
  return jsonMessage(message.id, message);
}
