import {
  exportIntervals,
  getLookBack,
  getProfile,
  getStatistics,
  getStudyDays,
  getStudyHours,
  getVisits,
  getWeeks,
  type LookBack,
  MINUTE_MS,
  type OwnTitle,
  putFocusSettings,
  type Statistics,
  type StudyDays,
  type StudyHours,
  type Visit,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { CALLS_AT_ONCE } from '../../platform/http/index.ts';
import { INTERVAL_READS_AT_ONCE } from '../focus/index.ts';

const MAY = 'from=2033-05-01&to=2033-05-31';

const { app } = await openTestSite();
let learner: Learner;
beforeEach(async () => {
  learner = await app.newLearner();
});

const get = (url: string, query: Record<string, string> = {}) =>
  app.inject({ url, query, headers: learner.headers });
const statistics = async () => (await get(getStatistics.path)).json<Statistics>();
const days = async (from: string, to: string) =>
  (await get(getStudyDays.path, { from, to })).json<StudyDays>();
const visits = async (query: Record<string, string> = {}) =>
  (await get(getVisits.path, query)).json<{ visits: Visit[]; hasOlder: boolean }>();

/** Sets the wall clock of Seoul to a moment that is not earlier than now. */
function setSeoulTime(text: string): void {
  const ms = Date.parse(`${text}+09:00`);
  app.clock.advance(ms - app.clock.now().getTime());
}

/** The test clock may move any distance; a token is valid for fifteen minutes of it. */
async function logInAgain(): Promise<void> {
  learner = await app.renew(learner);
}

/** Studies for a time, and stays a little less than the silence that counts as away. */
async function study(ms: number): Promise<void> {
  await app.seat(learner);
  await alive(ms);
  await app.leave(learner);
}

/** Time passes for a connected learner. */
async function alive(ms: number): Promise<void> {
  app.clock.advance(ms);
  await app.recordSeen(learner);
  await logInAgain();
}

describe('looking back', () => {
  const lookBack = async () => (await get(getLookBack.path)).json<LookBack>();

  it('has no visit before the first and while one lasts, and the first title is next', async () => {
    expect(await lookBack()).toMatchObject({ visit: null, streakDays: 0 });
    expect((await lookBack()).nextTitle).toMatchObject({ titleId: 1, acquiredAt: null });
    await app.seat(learner);
    expect((await lookBack()).visit).toBeNull();
    await app.leave(learner);
  });

  it('is at the latest visit alone, with the days in a row and the nearest title', async () => {
    await study(25 * MINUTE_MS);
    await study(47 * MINUTE_MS);
    const { visit, streakDays, nextTitle } = await lookBack();
    expect(visit).toEqual({
      focusMs: 47 * MINUTE_MS,
      awayMs: 0,
      endedAtMs: app.clock.now().getTime(),
    });
    expect(streakDays).toBeGreaterThanOrEqual(1);
    expect(nextTitle).toMatchObject({ acquiredAt: null });
    const titles = (await get(`/api/titles/${learner.userId}/list`)).json<OwnTitle[]>();
    const share = ({ progress }: OwnTitle) => progress.current / progress.target;
    const shares = titles.filter(({ acquiredAt }) => acquiredAt === null).map(share);
    expect(nextTitle && share(nextTitle)).toBe(Math.max(...shares));
    expect(Math.max(...shares)).toBeGreaterThan(0);
  });
});

describe('statistics', () => {
  it('are zeros before the first minute', async () => {
    expect(await statistics()).toEqual({
      userId: learner.userId,
      nickname: learner.nickname,
      totalStudyTime: 0,
      totalAwayTime: 0,
      totalAttendanceDays: 0,
      continueAttendanceDays: 0,
      lastAttendanceDate: null,
      longestAttendanceDays: 0,
    });
    expect((await days('2030-01-01', '2030-12-31')).days).toEqual([]);
    expect((await visits()).visits).toEqual([]);
  });

  it('of days name the one on which the learner signed up, by their present rule', async () => {
    await sql`
      update users set created_at = '2030-02-01T18:30:00Z' where id = ${learner.userId}`.execute(
      app.database,
    );
    const firstDay = async () => (await days('2030-01-01', '2030-12-31')).firstDay;
    expect(await firstDay()).toBe('2030-02-02');
    const payload = { timeZone: 'Asia/Seoul', dayStartMinutes: 300, startsOnEntering: true };
    const { method, path: url } = putFocusSettings;
    await app.inject({ method, url, payload, headers: learner.headers });
    expect(await firstDay()).toBe('2030-02-01');
  });

  it('count days in a row, and today as soon as it has a minute', async () => {
    setSeoulTime('2030-03-01T20:00:00');
    await logInAgain();
    await study(2 * MINUTE_MS);
    setSeoulTime('2030-03-02T20:00:00');
    await logInAgain();
    await study(3 * MINUTE_MS);
    setSeoulTime('2030-03-03T20:00:00');
    await logInAgain();
    expect(await statistics()).toMatchObject({
      totalStudyTime: 300,
      totalAttendanceDays: 2,
      continueAttendanceDays: 2,
      lastAttendanceDate: '2030-03-02',
    });
    await app.seat(learner);
    await alive(59_999);
    expect(await statistics()).toMatchObject({ totalStudyTime: 359, continueAttendanceDays: 2 });
    await alive(1);
    expect(await statistics()).toMatchObject({
      totalStudyTime: 360,
      totalAttendanceDays: 3,
      continueAttendanceDays: 3,
      lastAttendanceDate: '2030-03-03',
    });
    await app.leave(learner);
    setSeoulTime('2030-03-05T00:00:00');
    await logInAgain();
    expect(await statistics()).toMatchObject({
      continueAttendanceDays: 0,
      longestAttendanceDays: 3,
      totalAttendanceDays: 3,
    });
  });

  it('do not call fifty seconds a day of attendance, in any figure', async () => {
    setSeoulTime('2030-06-01T20:00:00');
    await logInAgain();
    await study(50_000);
    setSeoulTime('2030-06-02T20:00:00');
    await logInAgain();
    await study(MINUTE_MS);
    expect(await statistics()).toMatchObject({
      totalStudyTime: 110,
      totalAttendanceDays: 1,
      continueAttendanceDays: 1,
      longestAttendanceDays: 1,
      lastAttendanceDate: '2030-06-02',
    });
    const { days: known } = await days('2030-06-01', '2030-06-30');
    expect(known.map(({ focusMs }) => focusMs)).toEqual([50_000, MINUTE_MS]);
    expect((await get(getLookBack.path)).json<LookBack>().streakDays).toBe(1);
    const titles = (await get(`/api/titles/${learner.userId}/list`)).json<OwnTitle[]>();
    const daysOf = (slug: string) => titles.find(({ icon }) => icon === slug)?.progress.current;
    // Three days in a row, ten days of attendance.
    expect(['match', 'sprout'].map(daysOf)).toEqual([1, 1]);
  });

  it('cut what runs over midnight at midnight', async () => {
    setSeoulTime('2031-02-28T23:50:00');
    await logInAgain();
    await app.seat(learner);
    await alive(25 * MINUTE_MS);
    const cut = [
      { day: '2031-02-28', focusMs: 10 * MINUTE_MS, awayMs: 0, manualMs: 0 },
      { day: '2031-03-01', focusMs: 15 * MINUTE_MS, awayMs: 0, manualMs: 0 },
    ];
    expect(await days('2031-02-01', '2031-03-31')).toEqual({
      today: '2031-03-01',
      firstDay: expect.any(String),
      days: cut,
    });
    expect((await statistics()).continueAttendanceDays).toBe(2);
    await app.leave(learner);
    expect((await days('2031-02-01', '2031-03-31')).days).toEqual(cut);
    expect((await days('2031-03-01', '2031-03-01')).days).toEqual(cut.slice(1));
    expect((await statistics()).continueAttendanceDays).toBe(2);
  });

  it('begin the day where the learner does, and leave the past as it was', async () => {
    setSeoulTime('2032-02-29T01:00:00');
    await logInAgain();
    await study(10 * MINUTE_MS);
    await app.inject({
      method: 'PUT',
      url: putFocusSettings.path,
      payload: { timeZone: 'Asia/Seoul', dayStartMinutes: 240, startsOnEntering: true },
      headers: learner.headers,
    });
    // Before four in the morning it is still the day before.
    await study(10 * MINUTE_MS);
    expect(await days('2032-02-01', '2032-03-31')).toEqual({
      today: '2032-02-28',
      firstDay: expect.any(String),
      days: [
        { day: '2032-02-28', focusMs: 10 * MINUTE_MS, awayMs: 0, manualMs: 0 },
        { day: '2032-02-29', focusMs: 10 * MINUTE_MS, awayMs: 0, manualMs: 0 },
      ],
    });
  });

  it.each([
    ['calls of one learner', CALLS_AT_ONCE, 1, `${getVisits.path}`],
    ['learners count their hours', INTERVAL_READS_AT_ONCE, 4, `${getStudyHours.path}?${MAY}`],
    ['learners compare their weeks', INTERVAL_READS_AT_ONCE, 4, `${getWeeks.path}`],
  ])('leave the pool of connections to others, however many %s', async (_, atOnce, people, url) => {
    const [other, ...askers] = await Promise.all(
      Array.from({ length: 1 + people }, () => app.newLearner()),
    );
    const ask = async ({ headers }: Learner) => (await app.inject({ url, headers })).statusCode;
    const asked = await app.database.transaction().execute(async (transaction) => {
      await sql`lock table focus_interval in access exclusive mode`.execute(transaction);
      const answers = askers.flatMap((asker) => Array.from({ length: 10 }, () => ask(asker)));
      await untilLocked(app.database, atOnce);
      const profile = await app.inject({ url: getProfile.path, headers: other?.headers ?? {} });
      expect(profile.statusCode).toBe(200);
      return { answers };
    });
    expect(new Set(await Promise.all(asked.answers))).toEqual(new Set([200]));
  });

  it('answer a learner after one question of another, however many wait', async () => {
    const [asker, other] = [await app.newLearner(), await app.newLearner()];
    const ask = async ({ headers }: Learner) =>
      (await app.inject({ url: `${getStudyHours.path}?${MAY}`, headers })).statusCode;
    const asked = await app.database.transaction().execute(async (transaction) => {
      await sql`lock table focus_interval in access exclusive mode`.execute(transaction);
      const answers = Array.from({ length: CALLS_AT_ONCE }, () => ask(asker));
      await untilLocked(app.database, 1);
      answers.push(ask(other));
      await untilLocked(app.database, 2);
      return { answers };
    });
    expect(new Set(await Promise.all(asked.answers))).toEqual(new Set([200]));
  });

  it('say in which hours', async () => {
    setSeoulTime('2033-05-05T21:40:00');
    await logInAgain();
    await study(30 * MINUTE_MS);
    const answer = await get(getStudyHours.path, { from: '2033-05-01', to: '2033-05-31' });
    const { focusMs } = answer.json<StudyHours>();
    expect(focusMs).toHaveLength(24);
    expect([focusMs[20], focusMs[21], focusMs[22]]).toEqual([0, 20 * MINUTE_MS, 10 * MINUTE_MS]);
  });

  it('show where a number comes from: every visit with its intervals', async () => {
    setSeoulTime('2034-05-05T10:00:00');
    await logInAgain();
    const room = await app.seat(learner);
    const beganAtMs = app.clock.now().getTime();
    await alive(MINUTE_MS);
    await app.move(learner, 'pause', room);
    await alive(MINUTE_MS);
    await app.move(learner, 'resume', room);
    await alive(MINUTE_MS);
    const [visit] = (await visits()).visits;
    expect(visit).toEqual({
      id: expect.any(Number),
      roomId: room,
      beganAtMs,
      endedAtMs: null,
      focusMs: 2 * MINUTE_MS,
      awayMs: 0,
      hasEarlier: false,
      note: null,
      intervals: ['focus', 'pause', 'focus'].map((status, index) => ({
        status,
        startedAtMs: beganAtMs + index * MINUTE_MS,
        endedAtMs: index === 2 ? null : beganAtMs + (index + 1) * MINUTE_MS,
        cause: 'learner',
        timeZone: 'Asia/Seoul',
      })),
    });
    await app.leave(learner);
    for (let count = 0; count < 20; count += 1) {
      await app.seat(learner);
      await app.leave(learner);
    }
    const latest = await visits();
    expect([latest.visits.length, latest.hasOlder]).toEqual([20, true]);
    const older = await visits({ before: String(latest.visits.at(-1)?.id) });
    expect(older).toMatchObject({ visits: [{ id: visit?.id }], hasOlder: false });
    const last = await visits({ count: '1' });
    expect([last.visits, last.hasOlder]).toEqual([latest.visits.slice(0, 1), true]);
  });

  it('say where the days were counted in each interval', async () => {
    setSeoulTime('2034-06-05T10:00:00');
    await logInAgain();
    await app.seat(learner);
    await alive(MINUTE_MS);
    await app.inject({
      method: 'PUT',
      url: putFocusSettings.path,
      payload: { timeZone: 'Europe/London', dayStartMinutes: 0, startsOnEntering: true },
      headers: learner.headers,
    });
    await alive(MINUTE_MS);
    const zones = async () =>
      (await visits()).visits[0]?.intervals.map(({ timeZone, endedAtMs }) => [
        timeZone,
        endedAtMs === null,
      ]);
    expect(await zones()).toEqual([
      ['Asia/Seoul', false],
      ['Europe/London', true],
    ]);
    await app.leave(learner);
    expect(await zones()).toEqual([
      ['Asia/Seoul', false],
      ['Europe/London', false],
    ]);
  });

  it('can be taken along as a CSV file', async () => {
    setSeoulTime('2035-05-05T10:00:00');
    await logInAgain();
    await study(90_500);
    const answer = await get(exportIntervals.path, { from: '2035-05-05', to: '2035-05-05' });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain('mogakgong-2035-05-05-2035-05-05.csv');
    const [header, line, rest] = answer.body.split('\r\n');
    expect(header).toBe('visit,room,status,started_at,ended_at,seconds,cause,time_zone,subject');
    expect(line).toMatch(
      /^\d+,\d+,focus,2035-05-05T01:00:00.000Z,2035-05-05T01:01:30.500Z,90.500,learner,Asia\/Seoul,$/u,
    );
    expect(rest).toBe('');
  });

  it('hold what began days before the period', async () => {
    setSeoulTime('2036-05-01T20:00:00');
    await logInAgain();
    await app.seat(learner);
    // A hundred hours without a break, to midnight of the fifth.
    await alive(100 * 60 * MINUTE_MS);
    const period = { from: '2036-05-05', to: '2036-05-05' };
    const hours = async () => {
      const { focusMs } = (await get(getStudyHours.path, period)).json<StudyHours>();
      return focusMs.reduce((sum, ms) => sum + ms, 0);
    };
    expect(await hours()).toBe(24 * 60 * MINUTE_MS);
    expect((await get(exportIntervals.path, period)).body.trim().split('\r\n')).toHaveLength(1);
    await app.leave(learner);
    expect(await hours()).toBe(24 * 60 * MINUTE_MS);
    const [, line] = (await get(exportIntervals.path, period)).body.split('\r\n');
    expect(line).toContain('2036-05-01T11:00:00.000Z,2036-05-05T15:00:00.000Z,360000.000');
    const after = { from: '2036-05-06', to: '2036-05-06' };
    expect((await get(exportIntervals.path, after)).body.trim().split('\r\n')).toHaveLength(1);
  });

  it.each([
    ['2030-01-02', '2030-01-01'],
    ['2030-01-01', '2031-01-02'],
    ['2030-02-30', '2030-03-01'],
    ['0000-01-01', '0000-01-02'],
  ])('refuse a period from %s to %s', async (from, to) => {
    for (const { path } of [getStudyDays, getStudyHours, exportIntervals]) {
      expect((await get(path, { from, to })).json()).toMatchObject({ error: 'badPeriod' });
    }
  });

  it('refuse a time zone that nobody knows', async () => {
    for (const timeZone of ['Mars/Olympus', 'UTC+3', 'posixrules', "x'"]) {
      const answer = await app.inject({
        method: 'PUT',
        url: putFocusSettings.path,
        payload: { timeZone, dayStartMinutes: 0, startsOnEntering: true },
        headers: learner.headers,
      });
      expect(answer.statusCode).toBe(400);
    }
  });

  it('ask PostgreSQL for its time zones once, however often settings are changed', async () => {
    const { method, path: url } = putFocusSettings;
    const settings = { dayStartMinutes: 0, startsOnEntering: true };
    app.queries.splice(0);
    for (const [timeZone, status] of [
      ['Asia/Kathmandu', 200],
      ['Mars/Olympus', 400],
      ['asia/seoul', 400],
      ['Asia/Seoul', 200],
    ] as const) {
      const payload = { ...settings, timeZone };
      const answer = await app.inject({ method, url, payload, headers: learner.headers });
      expect(answer.statusCode).toBe(status);
    }
    const asked = app.queries.filter((text) => text.includes('pg_timezone_names'));
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it('cost at most two queries', async () => {
    const period = { from: '2030-01-01', to: '2030-12-31' };
    for (const [route, query] of [
      [getStatistics, {}],
      [getStudyDays, period],
      [getStudyHours, period],
      [getVisits, {}],
      [exportIntervals, period],
    ] as const) {
      app.queries.splice(0);
      expect((await get(route.path, query)).statusCode).toBe(200);
      expect(app.queries.length).toBeLessThanOrEqual(2);
    }
  });
});

it('of one learner stay with that learner', async () => {
  await study(5 * MINUTE_MS);
  learner = await app.newLearner();
  expect(await statistics()).toMatchObject({ totalStudyTime: 0 });
  expect(await visits()).toMatchObject({ visits: [] });
});

it('is limited: settings and exports to 10 a minute, titles to put on to 20, statistics to 60', async () => {
  const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
  try {
    const { headers, userId } = await limited.newLearner();
    const noTitle = `/api/titles/${userId}/equip?titleId=no-title`;
    const period = { from: '2030-01-01', to: '2030-01-31' };
    const payload = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true };
    const calls = [
      { max: 20, call: { method: 'POST' as const, url: noTitle, headers } },
      { max: 10, call: { method: 'PUT' as const, url: putFocusSettings.path, payload, headers } },
      { max: 10, call: { url: exportIntervals.path, query: period, headers } },
      { max: 60, call: { url: getVisits.path, headers } },
    ];
    for (const { max, call } of calls) {
      for (let count = 0; count < max; count += 1) {
        expect((await limited.inject(call)).statusCode).toBe(200);
      }
      const refused = await limited.inject(call);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
  } finally {
    await limited.close();
  }
});
