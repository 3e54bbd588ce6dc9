import type { RoomId, UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsRepository } from './rooms.repository.ts';

/** After so long without proof of life a seat is given up (design §5). */
const SILENT_SEAT_MS = 10 * 60_000;
/**
 * With more enters than this under way, one that finds every free room being entered opens a new
 * room instead of waiting: the others fill it within the second. With fewer it waits, so that two
 * learners who come at the same moment do not end up alone in a room each.
 */
const RUSH_ENTERS = 10;
/** The live count on the open pages may be this old. */
const LIVELINESS_AGE_MS = 2_000;

/** A learner who no longer sits in a room. */
export interface SeatLeft {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

interface EnterOptions {
  /** The room of a direct link; without it the best free seat is taken. */
  readonly roomId?: RoomId | undefined;
  /** Called before a seat is taken, not when one is held already; may refuse. */
  readonly beforeChange: () => Promise<void>;
}

interface RoomsParts {
  readonly repository: RoomsRepository;
  readonly clock: Clock;
  /** Seats in a room that is opened. */
  readonly capacity: number;
}

export function createRoomsService({ repository, clock, capacity }: RoomsParts) {
  const leaveListeners: ((left: SeatLeft) => void)[] = [];
  const tellLeft = (left: SeatLeft) => {
    for (const listener of leaveListeners) listener(left);
  };
  const countLearners = cachedFor(LIVELINESS_AGE_MS, clock, () => repository.countLearners());

  async function takeSeatIn(userId: UserId, roomId: RoomId): Promise<RoomId> {
    const seat = await repository.takeSeatIn(userId, roomId, clock.now());
    if (seat !== null) return seat;
    throw new ApiError((await repository.roomExists(roomId)) ? 'roomFull' : 'roomNotFound');
  }

  let entersUnderWay = 0;

  async function takeAnySeat(userId: UserId): Promise<RoomId> {
    const now = clock.now();
    entersUnderWay += 1;
    try {
      const isRush = entersUnderWay > RUSH_ENTERS;
      const seat =
        (await repository.takeFreeSeat(userId, now, isRush ? capacity : null)) ??
        (await repository.waitForSeat(userId, now, capacity));
      if (seat === null) throw new Error('a new room has no seat');
      return seat;
    } finally {
      entersUnderWay -= 1;
    }
  }

  function heldSeat(held: RoomId, wanted: RoomId | undefined): RoomId {
    if (wanted !== undefined && wanted !== held) throw new ApiError('seatedElsewhere');
    return held;
  }

  return {
    /**
     * The learner's seat: the one held already (reload, second tab), else one in the named room,
     * else one in the fullest room with a free seat, else in a new room (design §6).
     * @throws ApiError `seatedElsewhere`, `roomFull` or `roomNotFound`.
     */
    async enter(userId: UserId, { roomId, beforeChange }: EnterOptions): Promise<RoomId> {
      const held = await repository.findSeat(userId);
      if (held !== null) return heldSeat(held, roomId);
      await beforeChange();
      try {
        return await (roomId === undefined ? takeAnySeat(userId) : takeSeatIn(userId, roomId));
      } catch (error) {
        if (brokenUniqueName(error) !== 'seat_pkey') throw error;
        // Another tab or a double click took a seat a moment earlier: that one is the answer.
        const won = await repository.findSeat(userId);
        if (won === null) throw error;
        return heldSeat(won, roomId);
      }
    },

    /** Whether there was a seat to leave. */
    async leave(userId: UserId): Promise<boolean> {
      const roomId = await repository.giveUpSeat(userId);
      if (roomId !== null) tellLeft({ userId, roomId });
      return roomId !== null;
    },

    findSeat: (userId: UserId) => repository.findSeat(userId),

    /** Notes that learners were seen alive in their room. */
    async noteSeen(userIds: readonly UserId[]): Promise<void> {
      if (userIds.length > 0) await repository.touchSeats(userIds, clock.now());
    },

    /** Gives up the seats whose learners vanished. */
    async giveUpSilentSeats(): Promise<number> {
      const since = new Date(clock.now().getTime() - SILENT_SEAT_MS);
      const gone = await repository.giveUpSilentSeats(since);
      for (const { user_id, room_id } of gone) tellLeft({ userId: user_id, roomId: room_id });
      return gone.length;
    },

    countLearners,

    /** Calls `listener` whenever a learner no longer sits in a room, for whatever reason. */
    onLeave(listener: (left: SeatLeft) => void): void {
      leaveListeners.push(listener);
    },
  };
}

export type RoomsService = ReturnType<typeof createRoomsService>;

/** Shares one answer among all who ask within `ageMs`. */
function cachedFor<Value>(
  ageMs: number,
  clock: Clock,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let loaded: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    const nowMs = clock.now().getTime();
    if (loaded && nowMs - loaded.atMs < ageMs) return loaded.value;
    const value = load();
    loaded = { value, atMs: nowMs };
    value.catch(() => {
      loaded = undefined;
    });
    return value;
  };
}
