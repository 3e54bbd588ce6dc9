import { randomUUID } from 'node:crypto';
import {
  destinations,
  errors,
  type FocusClock,
  focusedMs,
  getToday,
  MINUTE_MS,
  type PresenceMessage,
  putFocusSettings,
  type RoomId,
  SECOND_MS,
  type TimerMove,
  type Today,
  tileMs,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limitsOfDays } from '../../../test/limits-of-days.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { goTo } from '../../../test/wall-clock.ts';
import { createRoomsRepository, createSilentSeatSweep, RoomsService } from '../rooms/index.ts';
import { visitsOfSeats } from './visits.ts';

const { app, clients } = await openTestSite();
// The tests add up to hours; none of them crosses midnight.
goTo(app.clock, 9);
/** Learners of a test leave after it: a room has twenty seats. */
const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await app.leave(await app.renew(learner));
});

async function newLearner(): Promise<Learner> {
  const learner = await app.newLearner();
  learners.push(learner);
  return learner;
}

const call = (learner: Learner, move: TimerMove, roomId: RoomId, userId = learner.userId) =>
  app.inject({
    method: 'POST',
    url: `/api/timer/${move}`,
    payload: { userId, roomId },
    headers: learner.headers,
  });

async function move(learner: Learner, what: TimerMove, roomId: RoomId): Promise<FocusClock> {
  const answer = await call(learner, what, roomId);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ clock: FocusClock }>().clock;
}

async function todayOf(learner: Learner): Promise<Today> {
  return (await app.inject({ url: getToday.path, headers: learner.headers })).json<Today>();
}

/** The site's work of every ten seconds. */
async function sweep(): Promise<void> {
  await app.runJob('watch');
  await app.runJob('silent learners');
}

const intervalsOf = async ({ userId }: Learner) => {
  const { rows } = await sql<{ status: string; seconds: number; is_silence: boolean }>`
    select status, extract(epoch from ended_at - started_at)::float8 as seconds, is_silence
    from focus_interval where user_id = ${userId} order by started_at`.execute(app.database);
  return rows.map(({ status, seconds, is_silence }) =>
    is_silence ? [status, seconds, 'silence'] : [status, seconds],
  );
};

const clockOf = async ({ userId }: Learner) => {
  const { rows } = await sql<{ status: string; focus_ms: number; away_ms: number }>`
    select status, focus_ms, away_ms from visit
    where user_id = ${userId} and ended_at is null`.execute(app.database);
  return rows[0];
};

describe('the timer', () => {
  it('starts on entering and counts focus, pause and away into intervals', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    app.clock.advance(10 * SECOND_MS);
    expect(await move(learner, 'pause', room)).toMatchObject({ status: 'pause', focusMs: 10_000 });
    app.clock.advance(20 * SECOND_MS);
    expect(await move(learner, 'resume', room)).toMatchObject({ status: 'focus', focusMs: 10_000 });
    app.clock.advance(5 * SECOND_MS);
    expect(await move(learner, 'away', room)).toMatchObject({ status: 'away', focusMs: 15_000 });
    app.clock.advance(7 * SECOND_MS);
    expect(await move(learner, 'resume', room)).toMatchObject({ status: 'focus', awayMs: 7_000 });
    app.clock.advance(2_500);
    await app.leave(learner);
    expect(await intervalsOf(learner)).toEqual([
      ['focus', 10],
      ['pause', 20],
      ['focus', 5],
      ['away', 7],
      ['focus', 2.5],
    ]);
    expect(await todayOf(learner)).toMatchObject({ todayStudyTime: 17, runningSinceMs: null });
  });

  it('waits for the learner where they do not want it to start by itself', async () => {
    const learner = await newLearner();
    const settings = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: false };
    await app.inject({
      method: 'PUT',
      url: putFocusSettings.path,
      payload: settings,
      headers: learner.headers,
    });
    const room = await app.seat(learner);
    app.clock.advance(10 * SECOND_MS);
    expect(await clockOf(learner)).toMatchObject({ status: 'idle' });
    expect(await move(learner, 'start', room)).toMatchObject({ status: 'focus', focusMs: 0 });
    app.clock.advance(3 * SECOND_MS);
    expect((await todayOf(learner)).todayStudyTime).toBe(3);
    await app.leave(learner);
    expect(await intervalsOf(learner)).toEqual([['focus', 3]]);
  });

  it('refuses what the table of transitions does not allow, and changes nothing', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    await move(learner, 'pause', room);
    const answer = await call(learner, 'start', room);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({
      message: errors.illegalTimerMove.ko,
      error: 'illegalTimerMove',
      errorCode: 'F001',
    });
    expect(await clockOf(learner)).toMatchObject({ status: 'pause' });
  });

  describe('pressed without a connection', () => {
    const press = (learner: Learner, what: TimerMove, roomId: RoomId, atMs: number, id: string) =>
      app.inject({
        method: 'POST',
        url: `/api/timer/${what}`,
        payload: { userId: learner.userId, roomId, press: { id, atMs } },
        headers: learner.headers,
      });
    const nowMs = () => app.clock.now().getTime();

    it('counts from the moments of the presses, each once, in their order', async () => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      app.clock.advance(60 * SECOND_MS);
      const [breakId, resumeId] = [randomUUID(), randomUUID()];
      const [breakMs, resumeMs] = [nowMs() - 50 * SECOND_MS, nowMs() - 20 * SECOND_MS];
      expect((await press(learner, 'pause', room, breakMs, breakId)).statusCode).toBe(200);
      await press(learner, 'resume', room, resumeMs, resumeId);
      app.clock.advance(5 * SECOND_MS);
      const again = await press(learner, 'pause', room, breakMs, breakId);
      expect(again.json()).toMatchObject({ clock: { status: 'focus', focusMs: 10_000 } });
      await app.leave(learner);
      expect(await intervalsOf(learner)).toEqual([
        ['focus', 10],
        ['pause', 30],
        ['focus', 25],
      ]);
    });

    it.each([
      ['in the future', 3_600_000],
      ['further than any calendar', Number.MAX_SAFE_INTEGER],
      ['longer ago than a silence that is forgiven', -91 * SECOND_MS],
    ])('a moment %s moves nothing out of its order', async (_, fromNowMs) => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      app.clock.advance(60 * SECOND_MS);
      await app.recordSeen(learner);
      app.clock.advance(40 * SECOND_MS);
      const atMs = Math.min(nowMs() + fromNowMs, Number.MAX_SAFE_INTEGER);
      const answer = await press(learner, 'pause', room, atMs, randomUUID());
      expect(answer.statusCode).toBe(200);
      const { clock } = answer.json<{ clock: FocusClock }>();
      expect(clock).toMatchObject({ status: 'pause', sinceMs: nowMs() });
    });

    it('a press in a visit that has ended changes nothing in the next one', async () => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      const pressedMs = nowMs() + 30 * SECOND_MS;
      app.clock.advance(60 * SECOND_MS);
      await app.leave(learner);
      app.clock.advance(10 * SECOND_MS);
      await app.seat(learner, room);
      app.clock.advance(5 * SECOND_MS);
      const answer = await press(learner, 'away', room, pressedMs, randomUUID());
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({
        clock: { status: 'focus', sinceMs: nowMs() - 5 * SECOND_MS },
      });
    });

    it('a press that a newer one of another tab overtook changes nothing', async () => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      const enteredMs = nowMs();
      const pressAfter = (what: TimerMove, seconds: number) =>
        press(learner, what, room, enteredMs + seconds * SECOND_MS, randomUUID());
      app.clock.advance(10 * SECOND_MS);
      await pressAfter('away', 10);
      app.clock.advance(20 * SECOND_MS);
      await pressAfter('resume', 30);
      app.clock.advance(10 * SECOND_MS);
      const overtaken = await pressAfter('pause', 5);
      expect(overtaken.statusCode).toBe(200);
      expect(overtaken.json()).toMatchObject({
        clock: { status: 'focus', sinceMs: enteredMs + 30 * SECOND_MS },
      });
      // Not even if the newer one moved nothing.
      await pressAfter('resume', 40);
      app.clock.advance(10 * SECOND_MS);
      expect((await pressAfter('pause', 35)).json()).toMatchObject({ clock: { status: 'focus' } });
      await app.leave(learner);
      expect(await intervalsOf(learner)).toEqual([
        ['focus', 10],
        ['away', 20],
        ['focus', 20],
      ]);
    });

    it('a press of a time in which a visit would have ended changes nothing', async () => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      const atMs = nowMs() - 10 * MINUTE_MS - 1;
      for (const moment of [atMs, Number.MIN_SAFE_INTEGER]) {
        const answer = await press(learner, 'pause', room, moment, randomUUID());
        expect(answer.json()).toMatchObject({ clock: { status: 'focus' } });
      }
    });

    it('a refused press leaves nothing behind, and a wrong id is refused', async () => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      await move(learner, 'away', room);
      const id = randomUUID();
      expect((await press(learner, 'pause', room, nowMs(), id)).statusCode).toBe(409);
      await move(learner, 'resume', room);
      expect((await press(learner, 'pause', room, nowMs(), id)).statusCode).toBe(200);
      expect((await press(learner, 'pause', room, nowMs(), 'mine')).statusCode).toBe(400);
      await app.leave(learner);
      const { rows } = await sql`
        select from timer_press where user_id = ${learner.userId}`.execute(app.database);
      expect(rows).toEqual([]);
    });
  });

  it('answers five times the same move at once as done, with one effect', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    app.clock.advance(10 * SECOND_MS);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => move(learner, 'pause', room)),
    );
    expect(new Set(answers.map((clock) => JSON.stringify(clock))).size).toBe(1);
    expect(await intervalsOf(learner)).toEqual([['focus', 10]]);
  });

  it('is of one’s own seat only', async () => {
    const [learner, other] = [await newLearner(), await newLearner()];
    const room = await app.seat(learner);
    expect((await call(other, 'pause', room)).json()).toMatchObject({ error: 'notSeated' });
    expect((await call(other, 'pause', room, learner.userId)).json()).toMatchObject({
      error: 'notYourself',
    });
    expect((await call(learner, 'pause', (room + 1) as RoomId)).json()).toMatchObject({
      error: 'notSeated',
    });
    await app.leave(learner);
    expect((await call(learner, 'pause', room)).json()).toMatchObject({ errorCode: 'R004' });
  });

  it('takes at most three statements in its transaction', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    await vi.waitFor(() => expect(app.queries.length).toBeGreaterThan(0));
    app.queries.splice(0);
    await move(learner, 'pause', room);
    const ofTimer = app.queries.filter((text) => /for update|saved as|as "silentMs"/u.test(text));
    expect(ofTimer).toHaveLength(3);
  });

  it('is limited to thirty moves a minute', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const learner = await limited.newLearner();
      const roomId = await limited.seat(learner);
      for (let count = 0; count < 30; count += 1) {
        expect((await limited.move(learner, 'start', roomId)).statusCode).toBe(200);
      }
      const refused = await limited.move(learner, 'start', roomId);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  it('is limited by the day, also for late presses; then the clock goes on as it is', async () => {
    const limited = await createTestApp({ limits: limitsOfDays() });
    try {
      const learner = await limited.newLearner();
      const { userId, headers } = learner;
      const roomId = await limited.seat(learner);
      const send = (method: 'POST' | 'PUT', path: string, payload: object) =>
        limited.inject({ method, url: `/api/${path}`, payload, headers });
      const schedule = await send('PUT', `study-rooms/${roomId}/pomodoro`, {
        ...{ focusMinutes: 1, breakMinutes: 1 },
      });
      const { startedAtMs } = schedule.json().schedule;
      const follow = () => send('PUT', 'timer/schedule', { userId, roomId, startedAtMs });
      for (let count = 0; count < 9; count += 1) {
        expect((await limited.move(learner, 'start', roomId)).statusCode).toBe(200);
      }
      expect((await follow()).statusCode).toBe(200);
      const press = { id: randomUUID(), atMs: limited.clock.now().getTime() };
      for (const refused of [
        await limited.move(learner, 'pause', roomId),
        await send('POST', 'timer/pause', { userId, roomId, press }),
        await send('PUT', 'subjects/current', { subjectId: null }),
        await follow(),
      ]) {
        expect(refused.json()).toMatchObject({ error: 'timerPressedTooOften' });
        expect(refused.statusCode).toBe(409);
      }
      const minuteLater = async () => {
        limited.clock.advance(MINUTE_MS);
        await limited.recordSeen(learner);
        return (await limited.inject({ url: getToday.path, headers })).json<Today>();
      };
      // Focus, a break of the schedule, focus again, a lost connection: none of them is a press.
      for (const todayStudyTime of [60, 60, 120]) {
        expect(await minuteLater()).toMatchObject({ todayStudyTime });
      }
      limited.clock.advance(2 * MINUTE_MS);
      await limited.runJob('watch');
      await limited.runJob('silent learners');
      const { rows } = await sql`
        select status from visit where user_id = ${userId} and ended_at is null`.execute(
        limited.database,
      );
      expect(rows).toEqual([{ status: 'away' }]);
      await limited.leave(learner);
      await limited.seat(learner);
      expect(await minuteLater()).toMatchObject({ todayStudyTime: 180 });
    } finally {
      await limited.close();
    }
  });
});

describe('silence', () => {
  it('of up to 90 seconds counts as what it was', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    app.clock.advance(90 * SECOND_MS);
    await sweep();
    expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 90_000, awayMs: 0 });
  });

  it('of more is away from its beginning, and ends with the next sign of life', async () => {
    const learner = await newLearner();
    await app.seat(learner);
    await sweep();
    for (let round = 0; round < 12; round += 1) {
      app.clock.advance(10 * SECOND_MS);
      await sweep();
      if (round === 0) await app.recordSeen(learner);
    }
    expect(await clockOf(learner)).toMatchObject({ status: 'away', focus_ms: 10_000 });
    await clients.connectAs(app, learner);
    await vi.waitFor(async () =>
      expect(await clockOf(learner)).toMatchObject({ status: 'focus', away_ms: 110_000 }),
    );
    expect(await intervalsOf(learner)).toEqual([
      ['focus', 10],
      ['away', 110, 'silence'],
    ]);
  });

  it('does not resume focus for a learner in a break, or away by choice', async () => {
    const [inBreak, away] = [await newLearner(), await newLearner()];
    const room = await app.seat(inBreak);
    await app.seat(away);
    await move(inBreak, 'pause', room);
    await move(away, 'away', room);
    for (let round = 0; round < 12; round += 1) {
      await sweep();
      app.clock.advance(10 * SECOND_MS);
    }
    expect(await clockOf(inBreak)).toMatchObject({ status: 'away' });
    await clients.connectAs(app, inBreak);
    await clients.connectAs(app, away);
    await vi.waitFor(async () => expect(await clockOf(inBreak)).toMatchObject({ status: 'pause' }));
    expect(await clockOf(away)).toMatchObject({ status: 'away' });
  });

  it('is settled by the next move when nobody was there to notice it', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    await sweep();
    for (let round = 0; round < 20; round += 1) {
      app.clock.advance(10 * SECOND_MS);
      // The site is up, but this learner's silence is not checked.
      await sql`update life_watch set watched_at = ${app.clock.now()}`.execute(app.database);
    }
    expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 0, awayMs: 200_000 });
  });

  it('while the site itself was down is nobody’s', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    await sweep();
    app.clock.advance(5 * MINUTE_MS);
    await sweep();
    expect(await clockOf(learner)).toMatchObject({ status: 'focus' });
    app.clock.advance(10 * SECOND_MS);
    expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 310_000, awayMs: 0 });
  });

  it('of ten minutes ends the visit with the last proof of life', async () => {
    const learner = await newLearner();
    await app.seat(learner);
    app.clock.advance(30 * SECOND_MS);
    await app.recordSeen(learner);
    for (let round = 0; round < 61; round += 1) {
      await sweep();
      app.clock.advance(10 * SECOND_MS);
    }
    const { rows } = await sql<{ last_seen_at: Date }>`
      select last_seen_at from seat where user_id = ${learner.userId}`.execute(app.database);
    // The room gives the seat up (rooms.test.ts), and with it the visit.
    const { database, clock } = app;
    const repository = createRoomsRepository(database, visitsOfSeats);
    const rooms = new RoomsService({
      repository,
      backplane: { processes: 1 },
      clock,
      capacity: 20,
    });
    const giveUp = createSilentSeatSweep({ repository, clock, rooms });
    let givenUp = 0;
    for (let look = 0; look < 4; look += 1) {
      app.clock.advance(20_000);
      givenUp += await giveUp();
    }
    expect(givenUp).toBe(1);
    expect(await clockOf(learner)).toBeUndefined();
    expect(await intervalsOf(learner)).toEqual([['focus', 30]]);
    const visits = await sql<{ ended_at: Date }>`
      select ended_at from visit where user_id = ${learner.userId}`.execute(app.database);
    expect(visits.rows).toEqual([{ ended_at: rows[0]?.last_seen_at }]);
  });

  it.each([
    ['the site was up', true],
    ['the site was down', false],
  ])(
    'of ten minutes in a seat that was kept begins another visit (%s)',
    async (_who, isWatched) => {
      const learner = await newLearner();
      const room = await app.seat(learner);
      await sweep();
      app.clock.advance(MINUTE_MS);
      await app.recordSeen(learner);
      app.clock.advance(12 * MINUTE_MS);
      if (isWatched) {
        await sql`update life_watch set watched_at = ${app.clock.now()}`.execute(app.database);
      }
      expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 0, awayMs: 0 });
      expect((await todayOf(learner)).todayStudyTime).toBe(60);
      expect(await intervalsOf(learner)).toEqual([['focus', 60]]);
    },
  );
});

const saveSettings = (learner: Learner, timeZone: string, dayStartMinutes = 0) =>
  app.inject({
    method: 'PUT',
    url: putFocusSettings.path,
    payload: { timeZone, dayStartMinutes, startsOnEntering: true },
    headers: learner.headers,
  });

describe('settings that change how days are counted', () => {
  it('settle the silence that came before them', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    for (let round = 0; round < 11; round += 1) {
      app.clock.advance(10 * SECOND_MS);
      await app.runJob('watch');
    }
    expect((await saveSettings(learner, 'Europe/London')).statusCode).toBe(200);
    app.clock.advance(20 * SECOND_MS);
    expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 20_000, awayMs: 110_000 });
    expect(await intervalsOf(learner)).toEqual([
      ['away', 110, 'silence'],
      ['focus', 20],
    ]);
  });

  it('after a night in which the site was down begin another visit', async () => {
    let learner = await newLearner();
    const room = await app.seat(learner);
    await app.runJob('watch');
    app.clock.advance(8 * 60 * MINUTE_MS);
    learner = await app.renew(learner);
    expect((await saveSettings(learner, 'Europe/London')).statusCode).toBe(200);
    app.clock.advance(5 * SECOND_MS);
    expect(await move(learner, 'pause', room)).toMatchObject({ focusMs: 5_000, awayMs: 0 });
    expect(await intervalsOf(learner)).toEqual([['focus', 5]]);
  });

  it('are taken once a day, so that a minute is not studied on three dates', async () => {
    let learner = await newLearner();
    const study = async () => {
      await app.seat(learner);
      app.clock.advance(MINUTE_MS);
      await app.leave(learner);
    };
    expect((await saveSettings(learner, 'Pacific/Pago_Pago')).statusCode).toBe(200);
    // No time was counted yet: a mistake may be corrected.
    expect((await saveSettings(learner, 'Pacific/Honolulu')).statusCode).toBe(200);
    await study();
    for (const refused of [
      await saveSettings(learner, 'UTC'),
      await saveSettings(learner, 'Pacific/Honolulu', 360),
    ]) {
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({ error: 'dayRuleChangedToday', errorCode: 'F005' });
    }
    // Settings with the same day may be saved.
    expect((await saveSettings(learner, 'Pacific/Honolulu')).statusCode).toBe(200);
    app.clock.advance(20 * 60 * MINUTE_MS);
    learner = await app.renew(learner);
    expect((await saveSettings(learner, 'UTC')).statusCode).toBe(200);
  });

  it('name the zone of today, in which the browser shows moments', async () => {
    const learner = await newLearner();
    expect(await todayOf(learner)).toMatchObject({ timeZone: 'Asia/Seoul' });
    expect((await saveSettings(learner, 'Europe/London')).statusCode).toBe(200);
    expect(await todayOf(learner)).toMatchObject({ timeZone: 'Europe/London' });
  });

  it('are refused while focus runs by settings that are new', async () => {
    const learner = await newLearner();
    await app.seat(learner);
    expect((await saveSettings(learner, 'Europe/London')).statusCode).toBe(200);
    app.clock.advance(MINUTE_MS);
    expect((await saveSettings(learner, 'UTC')).statusCode).toBe(409);
  });

  it('hold for a visit that begins at the same moment', async () => {
    for (let round = 0; round < 30; round += 1) {
      const learner = await newLearner();
      await Promise.all([app.seat(learner), saveSettings(learner, 'America/New_York', 240)]);
      const { rows } = await sql`
        select time_zone, day_start_minutes from visit
        where user_id = ${learner.userId} and ended_at is null`.execute(app.database);
      expect(rows).toEqual([{ time_zone: 'America/New_York', day_start_minutes: 240 }]);
      await app.leave(learner);
    }
  });
});

describe('the clock that others see', () => {
  it('is the same clock as one’s own, in a snapshot and after a change', async () => {
    const [host, guest] = [await newLearner(), await newLearner()];
    const room = await app.seat(host);
    await app.seat(guest);
    app.clock.advance(4 * SECOND_MS);
    const received = await (await clients.connectAs(app, guest)).subscribe(destinations.presence);
    const [snapshot] = received.map(({ body }) => body as PresenceMessage);
    if (snapshot?.kind !== 'snapshot') throw new Error('no snapshot came first');
    const member = snapshot.members.find(({ userId }) => userId === host.userId);
    expect(member && tileMs(member.clock, snapshot.serverNowMs)).toBe(4_000);

    const own = await move(host, 'pause', room);
    await vi.waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        kind: 'change',
        number: snapshot.number + 1,
        change: { type: 'clock', userId: host.userId, clock: own },
      }),
    );
  });

  it('includes the running focus of a newcomer', async () => {
    const [host, guest] = [await newLearner(), await newLearner()];
    await app.seat(host);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    await app.seat(guest);
    await vi.waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        change: {
          type: 'joined',
          member: { clock: { status: 'focus', sinceMs: app.clock.now().getTime() } },
        },
      }),
    );
  });

  it('sends every tab of the learner the sum of today, which the answer to the press carries too', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    const tabs = await Promise.all([1, 2].map(() => clients.connectAs(app, learner)));
    const received = await Promise.all(tabs.map((tab) => tab.subscribe(destinations.notices)));
    app.clock.advance(61 * SECOND_MS);
    app.queries.splice(0);
    const { today } = (await call(learner, 'pause', room)).json<{ today: Today }>();
    expect(today).toMatchObject({ todayStudyTime: 61, runningSinceMs: null });
    for (const notices of received) {
      await vi.waitFor(() =>
        expect(notices.map(({ body }) => body)).toContainEqual({ kind: 'today', ...today }),
      );
    }
    // The answer carries the day of the notice, which is read once.
    expect(app.queries.filter((text) => text.includes('"dayStartsAt"'))).toHaveLength(1);
  });

  it('is sent to every tab again with a repeated press, as the process that stored it may have died before', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    app.clock.advance(61 * SECOND_MS);
    const press = { id: randomUUID(), atMs: app.clock.now().getTime() };
    const pressed = () =>
      app.inject({
        method: 'POST',
        url: '/api/timer/pause',
        payload: { userId: learner.userId, roomId: room, press },
        headers: learner.headers,
      });
    await pressed();
    const tab = await clients.connectAs(app, learner);
    const notices = await tab.subscribe(destinations.notices);
    const { today } = (await pressed()).json<{ today: Today }>();
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({ kind: 'today', ...today }),
    );
  });

  it('counts on by the contract’s own arithmetic', async () => {
    const learner = await newLearner();
    const room = await app.seat(learner);
    app.clock.advance(3 * SECOND_MS);
    await move(learner, 'pause', room);
    app.clock.advance(3 * SECOND_MS);
    const clock = await move(learner, 'resume', room);
    app.clock.advance(6 * SECOND_MS);
    const drawn = focusedMs(clock, app.clock.now().getTime());
    expect(drawn).toBe((await move(learner, 'pause', room)).focusMs);
  });
});
