import {
  CHAT_LIST_MAX,
  CHAT_PAGE_SIZE,
  destinations,
  parseChatMessageId,
  REACTIONS_PER_FRAME,
  type ReactionChange,
  type ReactionFrame,
  ReactionPayload,
  reactionRate,
  recoveryRate,
} from '@mogakgong/contract';
import type { Frame } from '@mogakgong/stomp';
import { Receipt } from '@mogakgong/stomp';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import { isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError, requireAllowed } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import {
  type Entrance,
  type Gathering,
  jsonMessage,
  RoomTopic,
  type Sent,
} from '../realtime/index.ts';
import type { Seat } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { ChatService, ChatUses } from './chat.service.ts';
import { type ReactionEvent, ReactionFeed } from './reaction-feed.ts';
import type {
  KnownReactions,
  ReactionChanges,
  ReactionsRepository,
} from './reactions.repository.ts';

/** Learners in one query for what they have missed: reading 15,000 changes blocks other work for some 10 ms. */
const RETURNS_AT_ONCE = 10;
/** Every message of a gathering. */
const ALL_MESSAGES = { from: 0, newest: Number.MAX_SAFE_INTEGER } as const;

interface ReactionsParts extends AppContext, ChatUses {
  readonly repository: ReactionsRepository;
  readonly chat: Pick<ChatService, 'quote'>;
}

type Limiter = ReturnType<Limits['local']>;

/**
 * Reactions to messages: one a person, stored first, then delivered in one order. Two states of a person's
 * reaction are settled by their numbers, so that a page of history, a recovery and later changes may overlap
 * (decision 142).
 */
export class ReactionsService {
  readonly #parts: ReactionsParts;
  readonly #topic: RoomTopic<ReactionEvent, ReactionFeed>;
  readonly #presses: Limiter;
  readonly #recoveries: Limiter;
  readonly #load: (known: KnownReactions) => Promise<ReactionChanges>;

  constructor(parts: ReactionsParts) {
    this.#parts = parts;
    const { hub, repository, limits, logger } = parts;
    const onFailure = (error: unknown) => logger.error({ err: error }, 'reactions failed');
    this.#presses = limits.local(reactionRate);
    this.#recoveries = limits.local(recoveryRate);
    this.#load = createBatcher(
      (known: readonly KnownReactions[]) => repository.findSince(known),
      RETURNS_AT_ONCE,
      arrivalBatches,
    );
    this.#topic = new RoomTopic<ReactionEvent, ReactionFeed>({
      ...parts,
      destination: destinations.reactions,
      openFeed: (gathering) => this.#openFeed(gathering, onFailure),
      onEnter: (entrance) => this.#enter(entrance),
      findNumbers: (gatherings) => repository.findLastNumbers(gatherings),
      onFailure,
    });
    hub.addSendHandler(destinations.sendReaction, ReactionPayload, (sent) => this.#send(sent));
  }

  close(): void {
    this.#topic.close();
  }

  #openFeed(gathering: Gathering, onFailure: (error: unknown) => void): ReactionFeed {
    const { repository } = this.#parts;
    return new ReactionFeed({
      gathering,
      publish: (change) => {
        const frame = frameOf(gathering, 'live', [change], change.number);
        this.#topic.deliver(gathering.roomId, frame, [change.userId], () => null);
      },
      loadNumber: async (of) => (await repository.findLastNumbers([of]))[0]?.number ?? 0,
      loadSince: ({ roomId, epoch }, number) =>
        this.#load({ roomId, epoch, number, messages: ALL_MESSAGES }),
      onFailure,
    });
  }

  async #send({ session, payload, pathRoomId }: Sent<ReactionPayload>): Promise<Receipt> {
    const { userId } = session.principal;
    const seat = await this.#topic.seatFor(userId, pathRoomId, payload.roomId);
    const { reaction, messageId } = payload;
    const position = parseChatMessageId(messageId);
    if (position?.roomId !== seat.roomId || position.epoch !== seat.epoch) {
      throw new ApiError('chatQuoteGone');
    }
    const { sanctions, chat, repository } = this.#parts;
    sanctions.inForce.refuseMuted(userId, 'chatMuted');
    if ((await waitMsOf(this.#presses.consume(userId))) > 0) throw new ApiError('reactionsTooFast');
    // Also after a block a learner may take their own back.
    if (reaction !== null) await chat.quote(seat, messageId);
    const { number, isFull } = await repository
      .store(position, userId, reaction)
      .catch((cause: unknown) => {
        throw isForeignKeyBroken(cause) ? new ApiError('chatQuoteGone', { cause }) : cause;
      });
    if (isFull) throw new ApiError('tooManyReactions');
    if (number === null) return new Receipt([]);
    const change = { message: position.number, userId, reaction, number };
    this.#topic.publish(seat.roomId, [{ ...change, epoch: seat.epoch }]);
    return new Receipt([['number', String(number)]]);
  }

  async #enter({ subscription, seat, feed, frame, enter }: Entrance<ReactionFeed>): Promise<void> {
    if (frame) await requireAllowed(this.#recoveries.consume(seat.userId));
    await feed.ready();
    const known = knownBy(frame, seat);
    let found = await this.#load(known);
    // Changes that were delivered during the query are in the next one.
    while (found.number < feed.number) found = await this.#load(known);
    const { apart } = this.#parts.pairs.of(seat.userId);
    const changes = found.changes.filter(({ userId }) => !apart.has(userId));
    const frames = slicesOf(changes).map((slice, index, slices) => {
      const kind = known.number === 0 && index === 0 ? 'fresh' : 'more';
      const isLast = index === slices.length - 1;
      return frameOf(seat, kind, slice, isLast ? found.number : (slice.at(-1)?.number ?? 0));
    });
    if (subscription.session.isOpen) enter(...frames);
  }
}

/** The reactions that the client of a SUBSCRIBE has already; none if they are of another gathering, or unstated. */
function knownBy(frame: Frame | undefined, { roomId, epoch }: Seat): KnownReactions {
  const first = parseChatMessageId(frame?.headers.get('first-message') ?? '');
  if (first?.roomId !== roomId || first.epoch !== epoch) {
    return { roomId, epoch, number: 0, messages: { from: 0, newest: CHAT_PAGE_SIZE } };
  }
  const last = Number(frame?.headers.get('last-number'));
  const number = Number.isSafeInteger(last) && last > 0 ? last : 0;
  return { roomId, epoch, number, messages: { from: first.number, newest: CHAT_LIST_MAX } };
}

/** At least one slice, so that the client learns of the number. */
function slicesOf(changes: readonly ReactionChange[]): readonly (readonly ReactionChange[])[] {
  const count = Math.max(1, Math.ceil(changes.length / REACTIONS_PER_FRAME));
  return Array.from({ length: count }, (_, index) =>
    changes.slice(index * REACTIONS_PER_FRAME, (index + 1) * REACTIONS_PER_FRAME),
  );
}

function frameOf(
  { roomId, epoch }: Gathering,
  kind: ReactionFrame['kind'],
  changes: readonly ReactionChange[],
  number: number,
) {
  const frame: ReactionFrame = { roomId, epoch, kind, changes: [...changes], number };
  return jsonMessage(`reactions-${roomId}-${epoch}-${number}`, frame);
}
