import type { RoomId, UserId } from '@mogakgong/contract';
import type { Backplane } from '../../platform/backplane/index.ts';
import { cachedFor } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName, SLICE_ROWS } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { Seeker } from './room-choice.ts';
import type { Liveliness, RefusingRoom, RoomsRepository, TakenSeat } from './rooms.repository.ts';
import type { Seat, SeatChange, SignOfLife, SilentSeat } from './roster-queries.ts';

/**
 * With more concurrent enters of the site than this, a learner who finds every free room being entered opens a new room
 * instead of waiting: the others fill it within the second. With fewer it waits, so that two learners who
 * arrive at the same moment do not end up alone in a room each.
 */
const RUSH_ENTERS = 10;
/** Maximum age of the live count on the open pages. */
const LIVELINESS_AGE_MS = 2_000;

/** Seats that one step of a sweep examines, in some milliseconds. */
const SWEPT_AT_ONCE = 10_000;

/** Longer than any silence. */
const FOREVER_MS = 1e13;

/** A learner's seat in a room. */
export interface TakenPlace {
  readonly roomId: RoomId;
  readonly seatId: number;
}

/** A numbered change of a room's members or their states. */
export interface RosterEvent extends SeatChange {
  readonly type: 'joined' | 'left' | 'connectionLost' | 'cameBack' | 'updated';
}

interface EnterOptions {
  /** The room of a direct link; without it the best free seat is taken. */
  readonly roomId?: RoomId | undefined;
  /** Called before a seat is taken, not if the learner has one already; may refuse. */
  readonly beforeChange: () => Promise<void>;
}

type SettleReturns = (signs: readonly SignOfLife[]) => Promise<void>;

interface RoomsParts {
  readonly repository: RoomsRepository;
  readonly backplane: Pick<Backplane, 'processes'>;
  /** For stored times: throws while the clock may be wrong. */
  readonly clock: Clock;
  /** Seats of a new room. */
  readonly capacity: number;
}

export class RoomsService {
  readonly #repository: RoomsRepository;
  readonly #backplane: Pick<Backplane, 'processes'>;
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #listeners: ((event: RosterEvent) => void)[] = [];
  #entersUnderWay = 0;
  #return: { readonly afterMs: number; readonly settle: SettleReturns } = {
    afterMs: FOREVER_MS,
    settle: async () => undefined,
  };

  /** Number of seated learners and rooms, and how full those are. */
  readonly findLiveliness: () => Promise<Liveliness>;
  /** The seats of these learners; missing without one. */
  readonly findSeats: RoomsRepository['findSeats'];
  readonly findRosters: RoomsRepository['findRosters'];
  readonly findRosterNumbers: RoomsRepository['findRosterNumbers'];

  constructor({ repository, clock, capacity, backplane }: RoomsParts) {
    this.#repository = repository;
    this.#backplane = backplane;
    this.#clock = clock;
    this.#capacity = capacity;
    this.findSeats = repository.findSeats;
    this.findRosters = repository.findRosters;
    this.findRosterNumbers = repository.findRosterNumbers;
    this.findLiveliness = cachedFor(LIVELINESS_AGE_MS, () => repository.findLiveliness());
  }

  /** Calls `listener` with every change made by this process, in the order of each room. */
  onRoster(listener: (event: RosterEvent) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * The learner's seat: an existing one (reload, second tab), or one in the named room, or one in the fullest
   * room with a free seat and without a block, or in a new room (design §6).
   * @throws ApiError `seatedElsewhere`, `roomFull`, `blockedPersonInRoom`, `removedFromRoom` or
   *   `roomNotFound`.
   */
  async enter(caller: Caller, { roomId, beforeChange }: EnterOptions): Promise<TakenPlace> {
    const seeker = await this.#repository.findSeeker(caller);
    const held = await this.#keepSeat(seeker, roomId);
    if (held) return held;
    await beforeChange();
    return this.#sit(seeker, roomId);
  }

  /**
   * Checks whether the learner could take a seat in the room now; changes nothing.
   * @returns the room's occupancy.
   * @throws ApiError as `enter` does; `roomFull` also to one who would give up a seat elsewhere for it.
   */
  async checkEntry(caller: Caller, roomId: RoomId) {
    const seeker = await this.#repository.findSeeker(caller);
    const { heldRoomId } = seeker;
    if (heldRoomId !== roomId && !(await this.#repository.hasFreeSeat(seeker, roomId))) {
      await this.#refuse(seeker, roomId).catch((error: unknown) => {
        const isOther = error instanceof ApiError && error.row !== 'roomFull';
        if (heldRoomId === null || !isOther) throw error;
      });
    }
    if (heldRoomId !== null) heldSeat(heldRoomId, roomId);
    const fill = await this.#repository.findFill(roomId);
    if (fill === null) throw new ApiError('roomNotFound');
    return fill;
  }

  /**
   * Checks whether the room can admit the learner, however many seats are free.
   * @throws ApiError with the reason if not, as `enter` does.
   */
  async assertNotShutOut(caller: Caller, roomId: RoomId): Promise<void> {
    await this.#findOpen(await this.#repository.findSeeker(caller), roomId);
  }

  /** Frees every seat of a closed room. */
  async empty(roomId: RoomId): Promise<void> {
    const [roster] = await this.#repository.findRosters([roomId]);
    const userIds = roster?.members.map(({ userId }) => userId) ?? [];
    await this.recordSeen(userIds);
    const changes = await this.#repository.giveUpRoom(roomId, this.#clock.now());
    this.publish('left', changes);
  }

  /**
   * @param seatId the only seat to leave, not one of a later visit.
   * @returns whether the learner had a seat.
   */
  async leave(userId: UserId, seatId?: number): Promise<boolean> {
    await this.recordSeen([userId]);
    const changes = await this.#repository.giveUpSeat(userId, this.#clock.now(), seatId);
    this.publish('left', changes);
    return changes.length > 0;
  }

  /** Leaves the seats that these log-ins hold. */
  async leaveHeldBy(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    const seats = await this.#repository.findHeldSeats(sessionIds);
    for (const { userId, id } of seats) await this.leave(userId, id);
  }

  /** Assigns the seat to the log-in of the caller: the seat ends with the log-in that used it last. */
  holdSeat(caller: Caller): Promise<void> {
    return this.#repository.holdSeat(caller);
  }

  async findSeat(userId: UserId): Promise<Seat | null> {
    return (await this.findSeats([userId])).get(userId) ?? null;
  }

  /** Records that learners were just seen in their room. */
  async recordSeen(userIds: readonly UserId[]): Promise<void> {
    const at = this.#clock.now();
    await this.recordSigns(userIds.map((userId) => ({ userId, at })));
  }

  /**
   * Records when learners were last seen or heard; settles the silence of returning ones.
   * @param keptMs see `touchSeats`; 0 stores every sign exactly.
   */
  async recordSigns(signs: readonly SignOfLife[], keptMs?: number): Promise<void> {
    if (signs.length === 0) return;
    const now = this.#clock.now();
    const returned = await this.#repository.touchSeats(signs, now, this.#return.afterMs, keptMs);
    if (returned.size > 0) {
      await this.#return.settle(signs.filter(({ userId }) => returned.has(userId)));
    }
  }

  /**
   * Lets a later feature settle silences of more than `afterMs` when they end. A seat's last proof of life is
   * unchanged until `settle` writes another.
   */
  settleReturnsWith(afterMs: number, settle: SettleReturns): void {
    this.#return = { afterMs, settle };
  }

  /** Records whether seated learners are connected. */
  async setConnected(userIds: readonly UserId[], isConnected: boolean): Promise<void> {
    for (let index = 0; index < userIds.length; index += SLICE_ROWS) {
      const slice = userIds.slice(index, index + SLICE_ROWS);
      const changes = await this.#repository.setConnected(slice, isConnected);
      this.publish(isConnected ? 'cameBack' : 'connectionLost', changes);
    }
  }

  /**
   * A sweep over the seats of the site. Each call examines the next ten thousand, so that its cost does not
   * grow with the site, and returns those silent for `silentMs`, youngest silence first.
   */
  createSilenceSweep(silentMs: number): () => Promise<readonly SilentSeat[]> {
    let after: UserId | null = null;
    return async () => {
      const since = new Date(this.#clock.now().getTime() - silentMs);
      const { silent, last } = await this.#repository.findSilentAfter(after, SWEPT_AT_ONCE, since);
      after = last;
      return silent;
    };
  }

  /** Publishes visible changes of learners, counted in the statement that made them (`countOneUpdate`). */
  publish(type: RosterEvent['type'], changes: readonly SeatChange[]): void {
    for (const change of changes) {
      for (const listener of this.#listeners) listener({ type, ...change });
    }
  }

  /** Takes a seat. If another tab took one a moment earlier, returns that one, if it still exists. */
  async #sit(seeker: Seeker, roomId: RoomId | undefined): Promise<TakenPlace> {
    try {
      const seat = await (roomId === undefined
        ? this.#takeAnySeat(seeker)
        : this.#takeSeatIn(seeker, roomId));
      this.publish('joined', [seat]);
      return seat;
    } catch (error) {
      // Even the last seat of a room may be the one that the other tab took.
      const isFull = error instanceof ApiError && error.row === 'roomFull';
      if (!isFull && brokenUniqueName(error) !== 'seat_pkey') throw error;
      const again = await this.#repository.findSeeker(seeker);
      const held = await this.#keepSeat(again, roomId);
      if (held) return held;
      if (isFull) throw error;
      return this.#sit(again, roomId);
    }
  }

  /** The seat that the learner has already; null without one. */
  async #keepSeat(seeker: Seeker, wanted: RoomId | undefined): Promise<TakenPlace | null> {
    const { heldRoomId, heldSeatId: seatId } = seeker;
    if (heldRoomId === null || seatId === null) return null;
    const roomId = heldSeat(heldRoomId, wanted);
    if (seeker.heldBy !== seeker.sessionId) await this.holdSeat(seeker);
    return { roomId, seatId };
  }

  async #takeSeatIn(seeker: Seeker, roomId: RoomId): Promise<TakenSeat> {
    const seat = await this.#repository.takeSeatIn(seeker, roomId, this.#clock.now());
    return seat ?? this.#refuse(seeker, roomId);
  }

  async #refuse(seeker: Seeker, roomId: RoomId): Promise<never> {
    const room = await this.#findOpen(seeker, roomId);
    if (!room.isAdmitted && room.entry === 'approval') throw new ApiError('approvalNeeded');
    if (!room.isAdmitted && room.entry === 'invitation') throw new ApiError('invitationNeeded');
    if (!room.isAdmitted && room.entry === 'group') throw new ApiError('roomOfGroup');
    // A full room is full for everybody: a block that does not matter is not revealed.
    throw new ApiError(room.isBlocked && room.hasFreeSeat ? 'blockedPersonInRoom' : 'roomFull');
  }

  /** A room that has not ended, and that the learner was not removed from. */
  async #findOpen(seeker: Seeker, roomId: RoomId): Promise<RefusingRoom> {
    const room = await this.#repository.findRefusingRoom(seeker.userId, roomId);
    if (!room) throw new ApiError('roomNotFound');
    if (seeker.closedRooms.includes(roomId)) throw new ApiError('removedFromRoom');
    if (room.entry === 'closed') throw new ApiError('roomClosed');
    if (room.isKeptOut)
      throw new ApiError(room.entry === 'group' ? 'roomOfGroup' : 'removedByHost');
    return room;
  }

  async #takeAnySeat(seeker: Seeker): Promise<TakenSeat> {
    const now = this.#clock.now();
    this.#entersUnderWay += 1;
    try {
      // Two learners at one process are no rush, however many processes there are.
      const isRush = this.#entersUnderWay > Math.max(2, RUSH_ENTERS / this.#backplane.processes);
      const seat =
        (await this.#repository.takeFreeSeat(seeker, now, isRush ? this.#capacity : null)) ??
        (await this.#repository.waitForSeat(seeker, now, this.#capacity));
      if (!seat) throw new Error('a new room has no seat');
      return seat;
    } finally {
      this.#entersUnderWay -= 1;
    }
  }
}

function heldSeat(held: RoomId, wanted: RoomId | undefined): RoomId {
  if (wanted !== undefined && wanted !== held) throw new ApiError('seatedElsewhere');
  return held;
}
