import {
  BoardPayload,
  boardRate,
  boardReading,
  destinations,
  HOUR_MS,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { Message, Receipt } from '@mogakgong/stomp';
import * as z from 'zod/mini';
import { ApiError } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import {
  type Entrance,
  type Gathering,
  jsonMessage,
  type RealtimeHub,
  RoomTopic,
  type SeatWatch,
  type Sent,
  type Session,
} from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { BoardRepository } from './board.repository.ts';
import { readElement } from './board-element.ts';
import { type BoardEvent, BoardFeed, type NumberedBoardEvent, type Pointer } from './board-feed.ts';
import { BoardReader } from './board-reader.ts';
import type { BoardKey, BoardPosition } from './board-rows.ts';
import { createBoardWriter } from './board-writer.ts';
import type { StoredElement } from './merge-changes.ts';
import { type CountReading, createReadingLimit } from './reading-limit.ts';
import type { NewChanges, StoreOutcome } from './store-changes.ts';

/** Elements are checked one by one, after the other fields. */
const SentPayload = z.extend(BoardPayload, {
  elements: z.array(z.unknown()).check(z.maxLength(100)),
});
type SentPayload = z.infer<typeof SentPayload>;

/** How long a browser may be away and still learn of deletions without reading the whole board. */
const DELETED_KEPT_MS = HOUR_MS;

export interface BoardUses {
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly pairs: BlockedPairs;
}

interface BoardParts extends AppContext, BoardUses {
  readonly repository: BoardRepository;
}

/** The board of the learner's own room: stored first, then delivered. */
export class BoardService {
  readonly #parts: BoardParts;
  readonly #topic: RoomTopic<BoardEvent, BoardFeed>;
  readonly #write: (changes: NewChanges) => Promise<StoreOutcome>;
  readonly #changes: ReturnType<Limits['local']>;
  readonly #reader: BoardReader;
  readonly #countReading: CountReading;
  /** The room in which each connection has a pointer. */
  readonly #pointing = new Map<Session, RoomId>();
  #pointerMessages = 0;

  constructor(parts: BoardParts) {
    this.#parts = parts;
    const { hub, repository, limits, logger } = parts;
    const onFailure = (error: unknown) => logger.error({ err: error }, 'a board failed');
    this.#changes = limits.local(boardRate);
    this.#reader = new BoardReader({ load: repository.findContent });
    this.#countReading = createReadingLimit(limits, 'board bytes', boardReading);
    this.#topic = new RoomTopic<BoardEvent, BoardFeed>({
      ...parts,
      destination: destinations.board,
      openFeed: (gathering) => this.#openFeed(gathering, onFailure),
      onEnter: (entrance) => this.#enter(entrance),
      findNumbers: (gatherings) => repository.findNumbers(gatherings),
      onFailure,
    });
    this.#write = createBoardWriter({
      ...parts,
      onStored: ({ roomId, ...changes }) =>
        this.#topic.publish(roomId, [{ kind: 'changes', ...changes }]),
    });
    hub.onSessionEnd((session) => this.#stopPointing(session));
    parts.seats.onMove((userId) => {
      for (const session of hub.sessionsOf(userId)) this.#stopPointing(session);
    });
    hub.addSendHandler(destinations.sendBoard, SentPayload, (sent) => this.#send(sent));
  }

  /**
   * The JSON of the board of the caller's own room as they may see it: after a position, or all of it. A
   * learner with a block gets all of it: the block may be newer than the client's state.
   * @throws ApiError `notInThisRoom` or `tooManyRequests`.
   */
  async read(
    userId: UserId,
    roomId: RoomId,
    known: BoardPosition | null,
  ): Promise<readonly Buffer[]> {
    const { pairs, repository, clock } = this.#parts;
    const [seat, { apart }] = await Promise.all([this.ownSeat(userId, roomId), pairs.find(userId)]);
    let board = await this.#reader.read(seat);
    if (!board && (await repository.open(seat, clock.now()))) board = await this.#reader.read(seat);
    if (!board) throw new ApiError('notInThisRoom');
    const { bytes, slices } = board.replyTo(apart.size > 0 ? null : known, apart);
    await this.#countReading(userId, roomId, bytes);
    return slices();
  }

  /** The caller's seat in their own room. @throws ApiError `notInThisRoom`. */
  async ownSeat(userId: UserId, roomId: RoomId): Promise<Gathering> {
    const seat = await this.#parts.seats.confirmedSeatOf(userId);
    if (seat?.roomId !== roomId) throw new ApiError('notInThisRoom');
    return seat;
  }

  /** The board of the caller's own room. @throws ApiError `notInThisRoom`. */
  async ownBoard(userId: UserId, roomId: RoomId): Promise<BoardKey> {
    const { repository, clock } = this.#parts;
    const board = await repository.open(await this.ownSeat(userId, roomId), clock.now());
    if (!board) throw new ApiError('notInThisRoom');
    return board;
  }

  /** Delivers the events of a board to all its subscribers, in every process. */
  publish({ roomId }: BoardKey, events: readonly BoardEvent[]): void {
    this.#topic.publish(roomId, events);
  }

  /** Deletes the drawings of an account that is being deleted, visibly to all clients with the board open. */
  async forget(userId: UserId): Promise<void> {
    const { repository, clock } = this.#parts;
    for (const generation of await repository.findDrawnOn(userId)) {
      const deleted = await repository.deleteMadeBy(generation, userId, clock.now());
      for (const { roomId, ...changes } of deleted) {
        this.#topic.publish(roomId, [{ kind: 'changes', ...changes }]);
      }
    }
  }

  /** Repeated: deletes boards and elements that nobody can see any more. */
  async deleteOld(): Promise<void> {
    const { repository, clock } = this.#parts;
    await repository.deleteEnded();
    await repository.purgeDeletedBefore(new Date(clock.now().getTime() - DELETED_KEPT_MS));
  }

  close(): void {
    this.#reader.close();
    this.#topic.close();
  }

  /** The RECEIPT names the number of the board that includes the changes. */
  async #send({ session, payload, pathRoomId }: Sent<SentPayload>): Promise<Receipt> {
    const { userId } = session.principal;
    const { roomId, generation, elements: sent, pointer } = payload;
    const seat = await this.#topic.seatFor(userId, pathRoomId, roomId);
    if ((await waitMsOf(this.#changes.consume(userId))) > 0) throw new ApiError('boardTooFast');
    const { inForce } = this.#parts.sanctions;
    const isMuted = inForce.find(userId, 'muteChat') !== undefined;
    if (pointer !== undefined) this.#point(session, roomId, isMuted ? null : pointer);
    if (sent.length === 0) return new Receipt([]);
    inForce.refuseMuted(userId, 'chatMuted');
    const elements = sent.map(readElement);
    await this.#parts.pairs.ready(userId);
    const { apart } = this.#parts.pairs.of(userId);
    const from = { gathering: seat, senderId: userId, apart };
    const outcome = await this.#write({ ...from, generation, elements });
    if (outcome.kind !== 'merged') throw new ApiError(outcome.kind);
    return new Receipt([['number', String(outcome.number)]]);
  }

  #stopPointing(session: Session): void {
    const roomId = this.#pointing.get(session);
    if (roomId !== undefined) this.#point(session, roomId, null);
  }

  #point(session: Session, roomId: RoomId, at: Pointer['at']): void {
    if (at) this.#pointing.set(session, roomId);
    else this.#pointing.delete(session);
    this.#topic.publish(roomId, [{ kind: 'pointer', userId: session.principal.userId, at }]);
  }

  /** The subscriber requests missing elements by `getBoard`. */
  async #enter({ subscription, seat, feed, enter }: Entrance<BoardFeed>): Promise<void> {
    await feed.ready();
    const { roomId } = seat;
    const { generation, number } = feed.position;
    const id = `board-start-${subscription.session.id}`;
    enter(jsonMessage(id, { kind: 'start', roomId, generation, number }));
  }

  #openFeed(gathering: Gathering, onFailure: (error: unknown) => void): BoardFeed {
    const { repository, pairs, clock } = this.#parts;
    const { roomId } = gathering;
    return new BoardFeed({
      gathering,
      publish: (event) => {
        this.#topic.deliver(roomId, toMessage(roomId, event), learnersShownBy(event), (viewer) =>
          toMessage(roomId, eventFor(event, pairs.of(viewer).apart)),
        );
      },
      publishPointers: (pointers) => this.#deliverPointers(roomId, pointers),
      open: () => repository.open(gathering, clock.now()),
      load: (since) => repository.findContent(gathering, since),
      onFailure,
    });
  }

  /** Nobody gets their own pointer, nor that of a learner hidden by a block. */
  #deliverPointers(roomId: RoomId, pointers: readonly Pointer[]): void {
    this.#pointerMessages += 1;
    const messageId = `board-pointers-${this.#pointerMessages}`;
    const messageOf = (shown: readonly Pointer[]) =>
      jsonMessage(messageId, { kind: 'pointers', roomId, pointers: shown });
    const all = messageOf(pointers);
    this.#topic.deliverEach(roomId, (viewer) => {
      const { apart } = this.#parts.pairs.of(viewer);
      const shown = pointers.filter(({ userId }) => userId !== viewer && !apart.has(userId));
      if (shown.length === 0) return null;
      return shown.length === pointers.length ? all : messageOf(shown);
    });
  }
}

/** The elements except those of authors hidden from the viewer by a block. */
const visible = <Element extends StoredElement>(
  elements: readonly Element[],
  apart: ReadonlySet<UserId>,
) => elements.filter(({ authorId }) => !apart.has(authorId));

const learnersShownBy = (event: NumberedBoardEvent): readonly UserId[] =>
  event.kind === 'changes' ? event.elements.map(({ authorId }) => authorId) : [];

/** An event without the elements that the viewer must not see. */
function eventFor(event: NumberedBoardEvent, apart: ReadonlySet<UserId>): NumberedBoardEvent {
  if (event.kind !== 'changes') return event;
  return { ...event, elements: visible(event.elements, apart) };
}

/** The JSON of elements is concatenated from the stored texts, without parsing them. */
function toMessage(roomId: RoomId, event: NumberedBoardEvent): Message {
  const { kind, generation, number } = event;
  const head = JSON.stringify({ kind, roomId, generation, number });
  const body =
    event.kind === 'changes'
      ? `${head.slice(0, -1)},"elements":[${event.elements.map(({ json }) => json).join(',')}]}`
      : head;
  return new Message({
    messageId: `board-${roomId}-${generation}-${number}`,
    contentType: 'application/json',
    body,
  });
}
