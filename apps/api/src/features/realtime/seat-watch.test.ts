import type { RoomId, UserId } from '@mogakgong/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { compareAll, createUnstartedJobs } from '../../../test/compare-all.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';
import { createLogger } from '../../platform/logger/index.ts';
import type { RoomsService, RosterEvent, Seat } from '../rooms/index.ts';
import type { RealtimeHub } from './realtime-hub.ts';
import { SeatWatch } from './seat-watch.ts';

const userId = 7 as UserId;
const seat: Seat = {
  userId,
  roomId: 3 as RoomId,
  id: 1,
  sessionId: null,
  epoch: 1,
  isConnected: true,
};

/** A seat watch with queries that the test answers by hand, at any time. */
function createWatch() {
  const answers: ((seats: Seat[]) => void)[] = [];
  let tell: (event: RosterEvent) => void = () => undefined;
  const asked: (readonly UserId[])[] = [];
  let standing: Seat[] | undefined;
  let failures = 0;
  const rooms = {
    findSeats: async (userIds: readonly UserId[]) => {
      asked.push(userIds);
      if (failures-- > 0) throw new Error('no database');
      const seats = standing ?? (await new Promise<Seat[]>((resolve) => answers.push(resolve)));
      return new Map(seats.map((seat) => [seat.userId, seat]));
    },
    onRoster: (listener: typeof tell) => {
      tell = listener;
    },
  } as unknown as RoomsService;
  const hub = {
    isConnected: () => true,
    onArrival: (listener: (arriving: UserId) => void) => listener(userId),
    onDeparture: () => undefined,
    userIds: [userId].values(),
  } as unknown as RealtimeHub;
  const jobs = createUnstartedJobs();
  const watch = new SeatWatch({
    hub,
    jobs,
    rooms,
    backplane: createInProcessBackplane(),
    logger: createLogger('silent'),
  });
  const isAsked = () => vi.waitFor(() => expect(answers).not.toHaveLength(0));
  return {
    watch,
    compare: () => compareAll({ runJob: jobs.run }, 'seats of the connected'),
    asked,
    leave: () => tell({ type: 'left', userId, roomId: seat.roomId, number: 1 }),
    enter: () => tell({ type: 'joined', userId, roomId: seat.roomId, number: 2 }),
    isAsked,
    /** Answers every query at once from now on. */
    answerAlways: (seats: Seat[]) => {
      standing = seats;
    },
    /** Lets the next query fail. */
    failOnce: () => {
      failures = 1;
    },
    answer: async (seats: Seat[]) => {
      await isAsked();
      answers.shift()?.(seats);
    },
  };
}

it('a newly seated learner is not called seatless', async () => {
  const { watch, enter, answer } = createWatch();
  const before = watch.seatOf(userId);
  await answer([]);
  expect(await before).toBeNull();
  enter();
  const now = watch.seatOf(userId);
  await answer([seat]);
  expect(await now).toEqual(seat);
});

it('a learner is looked up again after a failed look-up, not called seatless', async () => {
  const { watch, enter, answer, asked, failOnce } = createWatch();
  const before = watch.seatOf(userId);
  await answer([]);
  expect(await before).toBeNull();
  failOnce();
  enter();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await new Promise(setImmediate);
  const now = watch.seatOf(userId);
  await answer([seat]);
  expect(await now).toEqual(seat);
});

describe('a learner who leaves', () => {
  let parts: ReturnType<typeof createWatch>;
  beforeEach(() => {
    parts = createWatch();
  });

  it('is out at once, before the database has been asked', async () => {
    const { watch, leave, answer } = parts;
    const known = watch.seatOf(userId);
    await answer([seat]);
    expect(await known).toEqual(seat);
    const moves: (Seat | null)[] = [];
    watch.onMove((_userId, _from, to) => moves.push(to));
    leave();
    expect(moves).toEqual([null]);
    expect(await watch.seatOf(userId)).toBeNull();
  });

  it('is not let in again by an answer from before', async () => {
    const { watch, leave, isAsked, answer } = parts;
    const asked = watch.seatOf(userId);
    await isAsked();
    leave();
    await answer([seat]);
    // An earlier query and a new one both get the present seat.
    await answer([]);
    expect(await asked).toBeNull();
  });
});

it('compares a seat with the database once in all rounds, in case an event was lost', async () => {
  const { watch, compare, asked, answerAlways } = createWatch();
  answerAlways([seat]);
  await watch.seatOf(userId);
  asked.length = 0;
  const moves: (Seat | null)[] = [];
  watch.onMove((_userId, _from, to) => moves.push(to));
  await compare();
  expect([asked.length, moves]).toEqual([1, []]);
  const moved = { ...seat, roomId: 4 as RoomId };
  answerAlways([moved]);
  await compare();
  expect([asked.length, moves]).toEqual([2, [moved]]);
});
