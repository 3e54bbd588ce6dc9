import {
  checkEntry,
  createMediaToken,
  enterRoom,
  getLiveliness,
  leaveRoom,
  login,
  logout,
  type MediaAccess,
  refresh,
  type UserId,
} from '@mogakgong/contract';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { limitsOfDays } from '../../../test/limits-of-days.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import {
  cookieOf,
  createTestApp,
  type Learner,
  PASSWORD,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { visitsOfSeats } from '../focus/index.ts';
import { createRoomsRepository } from './rooms.repository.ts';
import { RoomsService } from './rooms.service.ts';
import { createSilentSeatSweep } from './silent-seats.ts';

/** The log-in for entering without HTTP. */
const sessionId = crypto.randomUUID();

const { app } = await openTestSite({ emptied: ['seat', 'study_room'] });

const enter = (learner: Learner, query: { userId?: unknown; roomId?: unknown } = {}) =>
  app.inject({
    method: enterRoom.method,
    url: enterRoom.path,
    query: { userId: learner.userId, ...query } as Record<string, string>,
    headers: learner.headers,
  });
const leave = (learner: Learner) =>
  app.inject({
    method: leaveRoom.method,
    url: leaveRoom.path,
    query: { userId: String(learner.userId) },
    headers: learner.headers,
  });
const roomOf = async (answer: ReturnType<typeof enter>) =>
  (await answer).json<{ roomId: number }>().roomId;

/** Accounts without passwords, created in one statement: matching needs thousands. */
async function makeLearners(count: number): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
    select gen.mark || '@bulk', gen.mark, '', '', '', 'LOCAL'
    from (select gen_random_uuid()::text as mark from generate_series(1, ${count})) as gen
    returning id`.execute(app.database);
  return rows.map((row) => row.id);
}

/** Invariants while no work is pending. */
async function assertCountsAreTrue(): Promise<void> {
  const { rows } = await sql`
    select study_room.id from study_room
    left join seat on seat.room_id = study_room.id
    group by study_room.id
    having count(seat.user_id) <> occupancy or occupancy > capacity`.execute(app.database);
  expect(rows).toEqual([]);
}

describe('a look at a room before entering it', () => {
  const look = async (learner: Learner, roomId: number) => {
    const url = checkEntry.path.replace(':roomId', String(roomId));
    const answer = await app.inject({ method: checkEntry.method, url, headers: learner.headers });
    return answer.statusCode === 200 ? answer.json() : answer.json<{ error: string }>().error;
  };

  it('says what entering would, and seats nobody', async () => {
    const [seated, other] = [await app.newLearner(), await app.newLearner()];
    const roomId = await roomOf(enter(seated));
    expect(await look(other, roomId)).toEqual({ roomId, learners: 1, capacity: 20 });
    expect(await look(seated, roomId)).toEqual({ roomId, learners: 1, capacity: 20 });
    expect(await look(other, roomId + 1)).toBe('roomNotFound');
    expect(await look(seated, roomId + 1)).toBe('seatedElsewhere');
    await sql`update study_room set occupancy = capacity`.execute(app.database);
    expect(await look(other, roomId)).toBe('roomFull');
    expect(await look(seated, roomId)).toMatchObject({ roomId, learners: 20 });
    const { rows } = await sql`select from seat`.execute(app.database);
    expect(rows).toHaveLength(1);
  });

  it('says that a room is full to a learner who sits elsewhere, and would give that seat up', async () => {
    const [seated, other] = [await app.newLearner(), await app.newLearner()];
    await sql`insert into study_room (capacity) values (1), (2)`.execute(app.database);
    await enter(seated, { roomId: 1 });
    await enter(other, { roomId: 2 });
    expect(await look(other, 1)).toBe('roomFull');
    expect(await look(other, 2)).toEqual({ roomId: 2, learners: 1, capacity: 2 });
    expect(await look(seated, 2)).toBe('seatedElsewhere');
  });
});

describe('entering', () => {
  it('seats the first learner in a new room and the second beside them', async () => {
    const [first, second] = [await app.newLearner(), await app.newLearner()];
    const room = await roomOf(enter(first));
    expect(await roomOf(enter(second))).toBe(room);
    await assertCountsAreTrue();
  });

  it('answers the same room again: reload, second tab, double click', async () => {
    const learner = await app.newLearner();
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(learner)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200]);
    // Media tokens may differ by a second, but not in the visit that they name.
    const places = answers.map((answer) => answer.json<{ roomId: number; media: MediaAccess }>());
    const visits = places.map(({ roomId, media }) => `${roomId} ${decodeJwt(media.token).sub}`);
    expect(new Set(visits).size).toBe(1);
    await assertCountsAreTrue();
  });

  it('answers the last seat of a room again if the same learner took it', async () => {
    const learner = await app.newLearner();
    await sql`insert into study_room (capacity) values (1)`.execute(app.database);
    const { entering } = await app.database.transaction().execute(async (transaction) => {
      await sql`select from study_room where id = 1 for update`.execute(transaction);
      const both = Promise.all([enter(learner, { roomId: 1 }), enter(learner, { roomId: 1 })]);
      await untilLocked(app.database, 2);
      return { entering: both };
    });
    expect((await entering).map((answer) => answer.statusCode)).toEqual([200, 200]);
    await assertCountsAreTrue();
  });

  it('prefers the fullest room with a free seat', async () => {
    const learners = await Promise.all(Array.from({ length: 4 }, () => app.newLearner()));
    const [newcomer, ...seated] = learners as [Learner, ...Learner[]];
    await sql`insert into study_room (capacity) values (20), (20), (2)`.execute(app.database);
    const [one, two, three] = seated as [Learner, Learner, Learner];
    await enter(one, { roomId: 1 });
    await enter(two, { roomId: 2 });
    await enter(three, { roomId: 2 });
    expect(await roomOf(enter(newcomer))).toBe(2);
  });

  it('takes the seat of a direct link, or says why not', async () => {
    const [host, guest, late] = await Promise.all([
      app.newLearner(),
      app.newLearner(),
      app.newLearner(),
    ]);
    await sql`insert into study_room (capacity) values (1), (2)`.execute(app.database);
    expect(await roomOf(enter(host, { roomId: 2 }))).toBe(2);
    expect(await roomOf(enter(guest, { roomId: 2 }))).toBe(2);
    expect((await enter(late, { roomId: 2 })).json()).toMatchObject({ error: 'roomFull' });
    expect((await enter(late, { roomId: 99 })).json()).toMatchObject({ error: 'roomNotFound' });
    expect((await enter(guest, { roomId: 1 })).json()).toMatchObject({ error: 'seatedElsewhere' });
    await assertCountsAreTrue();
  });

  it('opens another room for the 21st learner', async () => {
    const bystander = await app.newLearner();
    await sql`insert into study_room (capacity) values (20)`.execute(app.database);
    const users = await makeLearners(20);
    await sql`
      with seated as (
        insert into seat (user_id, room_id, entered_at, last_seen_at)
        select id, 1, now(), now() from unnest(${users}::bigint[]) as id returning 1
      )
      update study_room set occupancy = (select count(*) from unnest(${users}::bigint[])) where id = 1
    `.execute(app.database);
    expect(await roomOf(enter(bystander))).toBe(2);
    await assertCountsAreTrue();
  });

  it('costs two queries when a seat is free, the media token included', async () => {
    const [first, second] = [await app.newLearner(), await app.newLearner()];
    await enter(first);
    app.queries.splice(0);
    expect((await enter(second)).json().media.token).toMatch(/^ey/u);
    const ofRooms = app.queries.filter(
      (text) => text.includes('study_room') || text.includes('seat'),
    );
    expect(ofRooms).toHaveLength(2);
  });

  it.each([
    [{ userId: undefined }, 'invalidRequest'],
    [{ userId: 'abc' }, 'invalidRequest'],
    [{ userId: '-1' }, 'invalidRequest'],
    [{ userId: 'Infinity' }, 'invalidRequest'],
    [{ roomId: '1.5' }, 'invalidRequest'],
    [{ userId: '999999' }, 'notYourself'],
  ])('refuses %j with %s', async (query, error) => {
    const learner = await app.newLearner();
    expect((await enter(learner, query)).json()).toMatchObject({ error });
  });

  it('never seats a 21st learner, with concurrent enters and leaves (10,000 enters)', async () => {
    const users = await makeLearners(10_000);
    const rooms = new RoomsService({
      backplane: { processes: 1 },
      repository: createRoomsRepository(app.database, visitsOfSeats),
      clock: app.clock,
      capacity: 20,
    });
    const enterAny = (userId: UserId) =>
      rooms.enter({ userId, sessionId }, { beforeChange: async () => undefined });

    const seats = await Promise.all(
      users.map(async (userId, index) => {
        const [room, again] = await Promise.all([
          enterAny(userId),
          index % 10 === 0 ? enterAny(userId) : null,
        ]);
        if (again !== null) expect(again.seatId).toBe(room.seatId);
        if (index % 5 === 0) await rooms.leave(userId);
        return room;
      }),
    );
    expect(seats).toHaveLength(10_000);
    await assertCountsAreTrue();
    const { rows } = await sql<{ seated: number; rooms: number }>`
      select (select count(*) from seat) as seated, (select count(*) from study_room) as rooms
    `.execute(app.database);
    expect(rows[0]?.seated).toBe(8_000);
    // Rooms are filled, not scattered: at least 95 % of all opened seats were taken.
    expect(10_000 / ((rows[0]?.rooms ?? 0) * 20)).toBeGreaterThan(0.95);
  }, 120_000);
});

describe('blocked pairs that enter at the same moment', () => {
  const PAIRS = 60;

  it.each(['by a direct link', 'by matching'])('are never seated together: %s', async (way) => {
    const users = await makeLearners(PAIRS * 2);
    const rooms = new RoomsService({
      backplane: { processes: 1 },
      repository: createRoomsRepository(app.database, visitsOfSeats),
      clock: app.clock,
      capacity: 20,
    });
    let together = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const [blocker, blocked] = users.slice(pair * 2) as [UserId, UserId];
      await sql`insert into block values (${blocker}, ${blocked}, now())`.execute(app.database);
      const opened = await app.openRoom();
      const roomId = way === 'by matching' ? undefined : opened;
      const seats = await Promise.all(
        [blocker, blocked].map((userId) =>
          rooms
            .enter({ userId, sessionId }, { roomId, beforeChange: async () => undefined })
            .catch((error: unknown) => {
              expect(error).toMatchObject({ row: 'blockedPersonInRoom' });
              return null;
            }),
        ),
      );
      if (seats[0]?.roomId === seats[1]?.roomId) together += 1;
      await Promise.all([blocker, blocked].map((userId) => rooms.leave(userId)));
    }
    expect(together).toBe(0);
    await assertCountsAreTrue();
  });
});

describe('leaving', () => {
  it('frees the seat; leaving again changes nothing', async () => {
    const learner = await app.newLearner();
    await enter(learner);
    expect((await leave(learner)).json()).toEqual({ left: true });
    expect((await leave(learner)).json()).toEqual({ left: false });
    await assertCountsAreTrue();
  });

  it('of one visit does not end a later one', async () => {
    const { userId } = await app.newLearner();
    const rooms = new RoomsService({
      backplane: { processes: 1 },
      repository: createRoomsRepository(app.database, visitsOfSeats),
      clock: app.clock,
      capacity: 20,
    });
    const enterAny = () =>
      rooms.enter({ userId, sessionId }, { beforeChange: async () => undefined });
    await enterAny();
    const earlier = await rooms.findSeat(userId);
    await rooms.leave(userId);
    await enterAny();
    expect(await rooms.leave(userId, earlier?.id)).toBe(false);
    const present = await rooms.findSeat(userId);
    expect(await rooms.leave(userId, present?.id)).toBe(true);
    await assertCountsAreTrue();
  });

  it('is only for oneself', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    await enter(learner);
    const answer = await app.inject({
      method: leaveRoom.method,
      url: leaveRoom.path,
      query: { userId: String(learner.userId) },
      headers: other.headers,
    });
    expect(answer.json()).toMatchObject({ error: 'notYourself', errorCode: 'A403' });
  });
});

describe('the end of a log-in', () => {
  const logOut = ({ headers }: Learner) =>
    app.inject({ method: logout.method, url: logout.path, headers });
  const isSeated = async ({ userId }: Learner) => {
    const { rows } = await sql`select from seat where user_id = ${userId}`.execute(app.database);
    return rows.length > 0;
  };
  /** The same learner on another device. */
  async function logInAgain(learner: Learner): Promise<Learner> {
    const payload = { email: learner.email, password: PASSWORD };
    const answer = await app.inject({ method: login.method, url: login.path, payload });
    const { token } = answer.json<{ token: string }>();
    return { ...learner, token, headers: { authorization: `Bearer ${token}` } };
  }

  it('gives up the seat that it took, and the log-out of another device does not', async () => {
    const learner = await app.newLearner();
    const other = await logInAgain(learner);
    await enter(learner);
    await logOut(other);
    expect(await isSeated(learner)).toBe(true);
    await logOut(learner);
    expect(await isSeated(learner)).toBe(false);
    await assertCountsAreTrue();
  });

  it.each(['enters again', 'gets a media token'])(
    'spares a seat that another one %s',
    async (how) => {
      const learner = await app.newLearner();
      const other = await logInAgain(learner);
      const roomId = await roomOf(enter(learner));
      if (how === 'enters again') await enter(other);
      else {
        await app.inject({
          method: createMediaToken.method,
          url: createMediaToken.path,
          payload: { roomName: String(roomId), identity: String(learner.userId) },
          headers: other.headers,
        });
      }
      await logOut(learner);
      expect(await isSeated(learner)).toBe(true);
      await logOut(other);
      expect(await isSeated(learner)).toBe(false);
    },
  );

  it('gives up the seat also when a refresh token was used by two', async () => {
    const learner = await app.newLearner();
    await enter(learner);
    const exchange = async (cookie: string) => {
      const { method, path: url } = refresh;
      const answer = await app.inject({ method, url, headers: { cookie } });
      return cookieOf(answer.headers['set-cookie']);
    };
    await exchange(await exchange(learner.cookie));
    expect(await isSeated(learner)).toBe(true);
    await exchange(learner.cookie);
    expect(await isSeated(learner)).toBe(false);
  });

  it('gives up a seat that was being taken meanwhile, or by a process that was killed', async () => {
    const learner = await app.newLearner();
    await enter(learner);
    const ended = sql`update login_session set ended_at = ${app.clock.now()}`;
    await sql`${ended} where user_id = ${learner.userId}`.execute(app.database);
    await app.runJob('ended log-ins');
    expect(await isSeated(learner)).toBe(false);

    // The log-in is known to have ended: a request that began earlier ends later.
    await enter(await app.renew(learner));
    await sql`
      update seat set session_id = login_session.id from login_session
      where seat.user_id = ${learner.userId} and login_session.user_id = seat.user_id
    `.execute(app.database);
    await app.runJob('ended log-ins');
    expect(await isSeated(learner)).toBe(false);
  });
});

function createSweep() {
  const { database, clock } = app;
  const repository = createRoomsRepository(database, visitsOfSeats);
  const rooms = new RoomsService({ repository, backplane: { processes: 1 }, clock, capacity: 20 });
  return { rooms, giveUp: createSilentSeatSweep({ repository, clock, rooms }) };
}

describe('a seat without proof of life', () => {
  it('is given up after ten minutes, and its room gets the change', async () => {
    const [silent, alive] = [await app.newLearner(), await app.newLearner()];
    await enter(silent);
    await enter(alive);
    const { rooms, giveUp } = createSweep();
    const left: UserId[] = [];
    rooms.onRoster(({ type, userId }) => type === 'left' && left.push(userId));
    const look = async (minutes: number) => {
      for (let step = 0; step < minutes * 3; step += 1) {
        app.clock.advance(20_000);
        await giveUp();
      }
    };
    await rooms.setConnected([silent.userId], false);
    await look(9);
    await rooms.recordSeen([alive.userId]);
    expect(left).toEqual([]);
    await look(2);
    expect(left).toEqual([silent.userId]);
    await assertCountsAreTrue();
  });
});

describe('a sweep for silence', () => {
  it('examines so many seats a step, and all of them in turn', async () => {
    const learners = await Promise.all([1, 2, 3, 4, 5].map(() => app.newLearner()));
    for (const learner of learners) await enter(learner);
    const { findSilentAfter, touchSeats } = createRoomsRepository(app.database, visitsOfSeats);
    const since = app.clock.now();
    app.clock.advance(60_000);
    const now = app.clock.now();
    const [alive, ...silent] = learners.map(({ userId }) => userId).sort((a, b) => a - b);
    await touchSeats([{ userId: alive as UserId, at: now }], now, 90_000);
    const found: UserId[] = [];
    const steps: (UserId | null)[] = [];
    for (let after: UserId | null = null; steps.at(-1) !== null; after = steps.at(-1) ?? null) {
      const step = await findSilentAfter(after, 2, new Date(since.getTime() + 1));
      found.push(...step.silent.map(({ userId }) => userId));
      steps.push(step.last);
    }
    expect(found.sort((a, b) => a - b)).toEqual(silent);
    expect(steps).toEqual([silent[0], silent[2], null]);
  });
});

describe('an account that is deleted', () => {
  it('takes its seat along: the room has one learner less, and a change of its roster', async () => {
    const [deleted, other] = [await app.newLearner(), await app.newLearner()];
    const room = await roomOf(enter(deleted));
    await enter(other);
    const state = async () => {
      const { rows } = await sql<{ occupancy: number; epoch: number; number: number }>`
        select occupancy, epoch, roster_number as number from study_room where id = ${room}
      `.execute(app.database);
      return rows[0];
    };
    const before = await state();
    await sql`delete from users where id = ${deleted.userId}`.execute(app.database);
    expect(await state()).toEqual({ ...before, occupancy: 1, number: (before?.number ?? 0) + 1 });
    await assertCountsAreTrue();
    await sql`delete from users where id = ${other.userId}`.execute(app.database);
    expect(await state()).toMatchObject({ occupancy: 0, epoch: (before?.epoch ?? 0) + 1 });
    await assertCountsAreTrue();
  });
});

describe('a pause of the server', () => {
  it('is nobody’s silence: learners have a minute to be seen again', async () => {
    const learner = await app.newLearner();
    await enter(learner);
    const { rooms, giveUp } = createSweep();
    expect(await giveUp()).toBe(0);
    app.clock.advance(60 * 60_000);
    expect(await giveUp()).toBe(0);
    app.clock.advance(20_000);
    await rooms.recordSeen([learner.userId]);
    for (let step = 0; step < 4; step += 1) {
      app.clock.advance(20_000);
      expect(await giveUp()).toBe(0);
    }
  });
});

describe('liveliness', () => {
  it('counts learners and the rooms they sit in, for visitors too', async () => {
    const [first, second] = [await app.newLearner(), await app.newLearner()];
    await enter(first);
    await enter(second);
    app.clock.advance(3_000);
    await sql`insert into study_room (capacity, occupancy, entry) values
      (20, 7, 'matched'), (20, 20, 'matched'), (20, 12, 'invitation')`.execute(app.database);
    const answer = await app.inject({ url: getLiveliness.path });
    // The fullest with a free seat for anybody.
    const fullest = { learners: 7, capacity: 20 };
    expect(answer.json()).toEqual({ learners: 41, rooms: 4, fullest });
  });

  it('counts nobody whose connection is lost, also not in the room that is matched next', async () => {
    const [first, second] = [await app.newLearner(), await app.newLearner()];
    await enter(first);
    await enter(second);
    await sql`
      delete from study_room where id not in (select room_id from seat)`.execute(app.database);
    await sql`update seat set is_connected = user_id = ${first.userId}`.execute(app.database);
    // An answer is shared for some seconds.
    await vi.waitFor(async () => {
      const answer = await app.inject({ url: getLiveliness.path });
      expect(answer.json()).toMatchObject({ learners: 1, rooms: 1, fullest: { learners: 1 } });
    }, 10_000);
  });
});

describe('the limit on entering and leaving', () => {
  const change = (
    target: TestApp,
    learner: Learner,
    { method, path: url }: typeof enterRoom | typeof leaveRoom,
  ) => {
    const query = { userId: String(learner.userId) };
    return target.inject({ method, url, query, headers: learner.headers });
  };

  it.each([
    ['in a minute', { env: { RATE_LIMIT_SCALE: '1' } }, 0],
    ['in a day (a hundredth of a thousand here)', { limits: limitsOfDays() }, 60],
  ])(
    'refuses the 11th change %s with 429 and Retry-After; repeats are free',
    async (_, options, waitsAbove) => {
      const limited = await createTestApp(options);
      try {
        const learner = await limited.newLearner();
        for (let count = 0; count < 10; count += 1) {
          expect((await change(limited, learner, enterRoom)).statusCode).toBe(200);
          expect((await change(limited, learner, enterRoom)).statusCode).toBe(200);
          expect((await change(limited, learner, leaveRoom)).statusCode).toBe(200);
        }
        const refused = await change(limited, learner, enterRoom);
        expect(refused.statusCode).toBe(429);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(waitsAbove);
        // A learner can always leave.
        expect((await change(limited, learner, leaveRoom)).statusCode).toBe(200);
      } finally {
        await limited.close();
      }
    },
  );
});
