import type { UserId } from '@mogakgong/contract';
import { compareInRounds, type IsDue } from '../../platform/backplane/index.ts';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { PlatformContext } from '../../platform/context/index.ts';
import type { RoomsService, Seat } from '../rooms/index.ts';
import { createUserChannels } from './notices.ts';
import type { RealtimeHub } from './realtime-hub.ts';

/** Seats per query. */
const BATCH_SIZE = 1_000;

/** Called when a learner connected here moved: from a seat, or none, to a seat, or none. */
type MoveListener = (userId: UserId, from: Seat | null, to: Seat | null) => void;

interface SeatWatchParts extends Pick<PlatformContext, 'backplane' | 'jobs' | 'logger'> {
  readonly hub: RealtimeHub;
  readonly rooms: RoomsService;
}

/** A look-up of a seat in the database. */
interface Question {
  readonly answer: Promise<Seat | null>;
  /** Set by an event after taking a seat: until the look-up is answered, the learner is not seatless. */
  isArriving: boolean;
}

/**
 * Knows the seats of the learners connected to this process. A process that changes a seat publishes that on
 * the learner's channel; the processes with a connection of the learner query the database.
 */
export class SeatWatch {
  readonly #parts: SeatWatchParts;
  readonly #seats = new Map<UserId, Seat | null>();
  /** The latest query for each learner: the results of earlier ones are outdated. */
  readonly #asked = new Map<UserId, Question>();
  /** Learners with an unknown seat, because the database failed: looked up again when the seat is needed. */
  readonly #unconfirmed = new Set<UserId>();
  readonly #listeners: MoveListener[] = [];
  readonly #lookUp: (userId: UserId) => Promise<Seat | null>;

  constructor(parts: SeatWatchParts) {
    this.#parts = parts;
    const { hub, rooms } = parts;
    this.#lookUp = createBatcher(
      async (userIds) => {
        const seats = await rooms.findSeats(userIds);
        return userIds.map((userId) => seats.get(userId) ?? null);
      },
      BATCH_SIZE,
      arrivalBatches,
    );

    const channels = createUserChannels(parts, 'seat', (userId, type: 'joined' | 'left') => {
      if (type === 'left') this.#markLeft(userId);
      this.#refresh(userId, type === 'joined');
    });
    rooms.onRoster(({ type, userId }) => {
      if (type === 'joined' || type === 'left') channels.publish(userId, type);
    });
    hub.onDeparture((userId) => this.#forget(userId));
    compareInRounds<UserId>(parts, {
      name: 'seats of the connected',
      channelOf: channels.of,
      compare: (isDue) => this.#compare(isDue),
    });
  }

  onMove(listener: MoveListener): void {
    this.#listeners.push(listener);
  }

  /** The seat of a learner connected here. */
  async seatOf(userId: UserId): Promise<Seat | null> {
    const known = this.#seats.get(userId);
    if (known === undefined || this.#unconfirmed.has(userId)) return this.#load(userId);
    const question = this.#asked.get(userId);
    // After taking a seat a learner may send at once.
    return known === null && question?.isArriving ? question.answer : known;
  }

  /** The seat of any learner, from the database. */
  confirmedSeatOf(userId: UserId): Promise<Seat | null> {
    return this.#lookUp(userId);
  }

  /** Looks up a seat that turned out to be stale; moves the learner if they have moved. */
  renew(userId: UserId): Promise<Seat | null> {
    return this.#load(userId);
  }

  /** After leaving, a learner must not receive messages during the query. */
  #markLeft(userId: UserId): void {
    const before = this.#seats.get(userId);
    if (!before) return;
    this.#seats.set(userId, null);
    for (const listener of this.#listeners) listener(userId, before, null);
  }

  #refresh(userId: UserId, isArriving = false): void {
    if (!this.#parts.hub.isConnected(userId)) return;
    this.#load(userId, isArriving).catch((error: unknown) => {
      this.#parts.logger.error({ err: error, userId }, 'could not look up a seat');
      // Nobody may read a room by an unconfirmed seat.
      if (this.#parts.hub.isConnected(userId)) this.#unconfirmed.add(userId);
      this.#markLeft(userId);
    });
  }

  /**
   * Compares the seats of the due learners with the database, in case an event was lost or a look-up
   * failed. A learner queried again meanwhile has a newer result.
   */
  async #compare(isDue: IsDue<UserId>): Promise<void> {
    const userIds = [...this.#seats.keys()].filter(isDue);
    if (userIds.length === 0) return;
    const questions = new Map(this.#asked);
    const seats = await this.#parts.rooms.findSeats(userIds);
    for (const userId of userIds) {
      const isCurrent = this.#asked.get(userId) === questions.get(userId);
      if (this.#seats.has(userId) && isCurrent) this.#learn(userId, seats.get(userId) ?? null);
    }
  }

  #load(userId: UserId, isArriving = false): Promise<Seat | null> {
    const answer = this.#lookUp(userId)
      .finally(() => {
        question.isArriving = false;
      })
      .then((seat) => {
        const latest = this.#asked.get(userId) ?? question;
        // An event arrived during this query: a later one has the result.
        return latest === question ? this.#learn(userId, seat) : latest.answer;
      });
    const question: Question = { answer, isArriving };
    this.#asked.set(userId, question);
    return answer;
  }

  #learn(userId: UserId, seat: Seat | null): Seat | null {
    if (!this.#parts.hub.isConnected(userId)) return seat;
    this.#unconfirmed.delete(userId);
    const before = this.#seats.get(userId);
    this.#seats.set(userId, seat);
    const hasMoved = before?.roomId !== seat?.roomId || before?.epoch !== seat?.epoch;
    if (before !== undefined && hasMoved) {
      for (const listener of this.#listeners) listener(userId, before, seat);
    }
    return seat;
  }

  #forget(userId: UserId): void {
    this.#seats.delete(userId);
    this.#asked.delete(userId);
    this.#unconfirmed.delete(userId);
  }
}
