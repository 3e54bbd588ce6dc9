import {
  addDays,
  addManualTime,
  addSubject,
  changeManualTime,
  DAY_MS,
  exportIntervals,
  getOwnTitles,
  getRoomLeaderboard,
  getStatistics,
  getStudyDays,
  getTimetable,
  getToday,
  HOUR_MS,
  type Leaderboard,
  leaderboardMs,
  MANUAL_TIME,
  type ManualTimeId,
  MINUTE_MS,
  type OwnSubjects,
  type OwnTitle,
  putFocusSettings,
  putLeaderboardSetting,
  removeManualTime,
  type Statistics,
  type StudyDays,
  type SubjectId,
  type Timetable,
  type Today,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();
let learner: Learner;
/** Midnight in Seoul of the present day, and that day: the account is ten days old. */
let midnightMs: number;
let day: string;

beforeEach(async () => {
  learner = await withLastingLogIn(await app.newLearner());
  await sql`update users set created_at = ${new Date(app.clock.now().getTime() - 10 * DAY_MS)}
            where id = ${learner.userId}`.execute(app.database);
  // Ten at night.
  const today = await todayOf();
  app.clock.advance(today.dayStartsAtMs + DAY_MS + 22 * HOUR_MS - app.clock.now().getTime());
  const then = await todayOf();
  midnightMs = then.dayStartsAtMs;
  day = then.day;
});

const get = (url: string, query: Record<string, string> = {}) =>
  app.inject({ url, query, headers: learner.headers });
const todayOf = async () => (await get(getToday.path)).json<Today>();
const daysOf = async () =>
  (await get(getStudyDays.path, { from: addDays(day, -20), to: day })).json<StudyDays>().days;
const timetable = async (of = day) => (await get(getTimetable.path, { day: of })).json<Timetable>();

/** Hours of today, from midnight. */
const hours = (from: number, to: number, subjectId: SubjectId | null = null) => ({
  startedAtMs: midnightMs + from * HOUR_MS,
  endedAtMs: midnightMs + to * HOUR_MS,
  subjectId,
});
type Stretch = ReturnType<typeof hours>;

const add = (time: Stretch) =>
  app.inject({
    method: 'POST',
    url: addManualTime.path,
    payload: time,
    headers: learner.headers,
  });
const at = (path: string, id: ManualTimeId) => path.replace(':manualId', String(id));
const change = (id: ManualTimeId, time: Stretch) =>
  app.inject({
    method: 'PUT',
    url: at(changeManualTime.path, id),
    payload: time,
    headers: learner.headers,
  });
const remove = (id: ManualTimeId) =>
  app.inject({ method: 'DELETE', url: at(removeManualTime.path, id), headers: learner.headers });
const added = async (time: Stretch) => {
  const answer = await add(time);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ manualId: ManualTimeId }>().manualId;
};
const errorOf = async (answer: ReturnType<typeof add>) =>
  (await answer).json<{ error: string }>().error;

describe('study time entered by hand', () => {
  it('stands beside counted time, and in no sum, attendance or streak', async () => {
    await added(hours(9, 10));
    expect(await todayOf()).toMatchObject({ todayStudyTime: 0, focusMs: 0, manualMs: HOUR_MS });
    expect(await daysOf()).toEqual([{ day, focusMs: 0, awayMs: 0, manualMs: HOUR_MS }]);
    expect((await get(getStatistics.path)).json<Statistics>()).toMatchObject({
      totalStudyTime: 0,
      totalAttendanceDays: 0,
      continueAttendanceDays: 0,
      lastAttendanceDate: null,
    });
  });

  it('is on no leaderboard, and brings no title nearer', async () => {
    const titles = async () =>
      (await get(getOwnTitles.path.replace(':userId', String(learner.userId)))).json<OwnTitle[]>();
    const without = await titles();
    await added(hours(9, 13));
    expect(await titles()).toEqual(without);

    const roomId = await app.seat(learner);
    await app.inject({
      method: 'PUT',
      url: putLeaderboardSetting.path,
      payload: { isOn: true },
      headers: learner.headers,
    });
    app.clock.advance(HOUR_MS / 2);
    await app.recordSeen(learner);
    const board = (
      await get(getRoomLeaderboard.path.replace(':roomId', String(roomId)))
    ).json<Leaderboard>();
    const nowMs = app.clock.now().getTime();
    expect(board.people.map((person) => leaderboardMs(person, nowMs))).toEqual([HOUR_MS / 2]);
    expect(board.ownTotalMs).toBe(HOUR_MS / 2);
    await app.leave(learner);
    expect(await titles()).not.toEqual(without);
  });

  it('is in the timetable of its day with its subject, and marked in the CSV file', async () => {
    const { subjects } = (
      await app.inject({
        method: 'POST',
        url: addSubject.path,
        payload: { name: '수학' },
        headers: learner.headers,
      })
    ).json<OwnSubjects>();
    const subjectId = subjects[0]?.id ?? null;
    const manualId = await added(hours(9, 10, subjectId));
    const { startedAtMs, endedAtMs } = hours(9, 10);
    expect(await timetable()).toEqual({
      isOpen: true,
      timeZone: 'Asia/Seoul',
      dayStartsAtMs: midnightMs,
      dayEndsAtMs: midnightMs + DAY_MS,
      parts: [{ startedAtMs, endedAtMs, subjectId, manualId }],
      subjects: [{ id: subjectId, name: '수학', place: 0 }],
    });
    const csv = await get(exportIntervals.path, { from: day, to: day });
    expect(csv.body.split('\r\n')[1]).toMatch(
      /^,,manual,.*,3600\.000,learner,Asia\/Seoul,"수학"$/u,
    );
  });

  it('can be corrected and deleted', async () => {
    const id = await added(hours(9, 10));
    expect((await change(id, hours(9.5, 11.5))).json()).toEqual({ manualId: id });
    expect((await todayOf()).manualMs).toBe(2 * HOUR_MS);
    expect((await remove(id)).statusCode).toBe(200);
    expect(await todayOf()).not.toHaveProperty('manualMs');
    expect(await errorOf(remove(id))).toBe('manualTimeNotFound');
    expect(await errorOf(change(id, hours(9, 10)))).toBe('manualTimeNotFound');
  });

  it.each([
    ['less than five minutes', () => hours(9, 9 + 4 / 60), 'manualTimeMalformed'],
    ['its end before its beginning', () => hours(10, 9), 'manualTimeMalformed'],
    ['more than four hours', () => hours(9, 13.1), 'manualTimeMalformed'],
    ['the future', () => hours(22, 23), 'manualTimeNotOver'],
    ['the last two minutes', () => hours(21, 22 - 1 / 60), 'manualTimeNotOver'],
    ['eight days ago', () => hours(-8 * 24 + 9, -8 * 24 + 10), 'manualTimeTooOld'],
    ['two days in one', () => hours(-1, 1), 'manualTimeOverDays'],
    ['a subject of nobody', () => hours(9, 10, 1_000_000 as SubjectId), 'subjectNotFound'],
  ])('is not of %s', async (_, time, error) => {
    expect(await errorOf(add(time()))).toBe(error);
    expect(await daysOf()).toEqual([]);
  });

  it('is of the last seven days, since the account was made', async () => {
    await added(hours(-7 * 24 + 9, -7 * 24 + 10));
    expect((await timetable(addDays(day, -7))).isOpen).toBe(true);
    expect((await timetable(addDays(day, -8))).isOpen).toBe(false);
    await sql`update users set created_at = ${new Date(midnightMs + 9 * HOUR_MS)}
              where id = ${learner.userId}`.execute(app.database);
    expect(await errorOf(add(hours(8.5, 9.5)))).toBe('manualTimeTooOld');
    await added(hours(9, 10));
  });

  it('is at most four hours of a day, and overlaps nothing else', async () => {
    const first = await added(hours(8, 11));
    expect(await errorOf(add(hours(10, 12)))).toBe('manualTimeOverlaps');
    expect(await errorOf(add(hours(11, 12.5)))).toBe('manualTimeDayFull');
    await added(hours(11, 12));
    // It does not stand in its own way.
    expect((await change(first, hours(8.5, 11))).statusCode).toBe(200);
    expect(await errorOf(change(first, hours(8.5, 11.5)))).toBe('manualTimeOverlaps');
    await added(hours(-15, -12));
  });

  it('is at most eight hours of any 24, as the days of several time zones', async () => {
    const moveTo = async (timeZone: string) => {
      const payload = { timeZone, dayStartMinutes: 0, startsOnEntering: true };
      const { path: url, method } = putFocusSettings;
      const answer = await app.inject({ method, url, payload, headers: learner.headers });
      expect(answer.statusCode).toBe(200);
    };
    // One after the other, on three dates.
    await moveTo('Etc/GMT+12');
    await added(hours(-12, -8));
    await moveTo('UTC');
    await added(hours(-8, -4));
    await moveTo('Pacific/Kiritimati');
    expect(await errorOf(add(hours(-4, 0)))).toBe('manualTimeDayFull');
    expect(await errorOf(add(hours(11, 12.1)))).toBe('manualTimeDayFull');
    await added(hours(12, 16));
  });

  it('never lies over counted time, a break, or what runs', async () => {
    const room = await app.seat(learner);
    app.clock.advance(10 * MINUTE_MS);
    await app.recordSeen(learner);
    await app.move(learner, 'pause', room);
    app.clock.advance(10 * MINUTE_MS);
    await app.recordSeen(learner);
    // Focus from 22:00 to 22:10; since then a break.
    expect(await errorOf(add(hours(21.5, 22 + 5 / 60)))).toBe('manualTimeOverlaps');
    expect(await errorOf(add(hours(22 + 10 / 60, 22 + 16 / 60)))).toBe('manualTimeOverlaps');
    await added(hours(21.5, 22));
    await app.leave(learner);
    app.clock.advance(10 * MINUTE_MS);
    expect(await errorOf(add(hours(22 + 10 / 60, 22 + 16 / 60)))).toBe('manualTimeOverlaps');
    await added(hours(22 + 20 / 60, 22 + 27 / 60));
    const parts = (await timetable()).parts.map(({ manualId }) => manualId !== null);
    expect(parts).toEqual([true, false, true]);
  });

  it('lies in the day of the learner, which may begin later', async () => {
    await app.inject({
      method: 'PUT',
      url: putFocusSettings.path,
      payload: { timeZone: 'Asia/Seoul', dayStartMinutes: 300, startsOnEntering: true },
      headers: learner.headers,
    });
    await added(hours(1, 2));
    expect((await daysOf()).map((figures) => figures.day)).toEqual([addDays(day, -1)]);
    expect(await errorOf(add(hours(4.5, 5.5)))).toBe('manualTimeOverDays');
  });

  it('keeps the name of a subject that is removed', async () => {
    const call = async (method: 'POST' | 'DELETE', url: string, payload?: object) =>
      (await app.inject({ method, url, payload, headers: learner.headers })).json<OwnSubjects>();
    const { subjects } = await call('POST', addSubject.path, { name: '영어' });
    const id = subjects[0]?.id as SubjectId;
    await added(hours(9, 10, id));
    await call('DELETE', `${addSubject.path}/${id}`);
    expect((await timetable()).subjects).toEqual([{ id, name: '영어', place: 0 }]);
  });

  it('costs three statements, and its timetable one', async () => {
    app.queries.splice(0);
    await added(hours(9, 10));
    const own = () => app.queries.splice(0).filter((query) => /manual_|study_record/u.test(query));
    expect(own().length).toBeLessThanOrEqual(3);
    await timetable();
    expect(own()).toHaveLength(1);
  });

  it('never overlaps and never exceeds a day, whatever two tabs say at once', async () => {
    const stretch = fc.record({
      from: fc.integer({ min: 0, max: 11 }),
      length: fc.integer({ min: 1, max: 8 }),
      dayBack: fc.integer({ min: 0, max: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(stretch, { minLength: 2, maxLength: 8 }), async (stretches) => {
        await sql`delete from manual_time where user_id = ${learner.userId}`.execute(app.database);
        const times = stretches.map(({ from, length, dayBack }) => {
          const begin = 8 + from / 2 - 24 * dayBack;
          return hours(begin, begin + length / 2);
        });
        // Each is said by two tabs.
        const answers = await Promise.all([...times, ...times].map(add));
        const { rows } = await sql<{ from: Date; to: Date; day: string }>`
          select started_at as "from", ended_at as "to", day::text from manual_time
          where user_id = ${learner.userId} order by started_at`.execute(app.database);
        expect(rows).toHaveLength(answers.filter(({ statusCode }) => statusCode === 200).length);
        expect(rows.length).toBeGreaterThan(0);
        rows.forEach(({ from }, index) => {
          const before = rows[index - 1];
          if (before) expect(from.getTime()).toBeGreaterThanOrEqual(before.to.getTime());
        });
        const sums = new Map<string, number>();
        for (const { from, to, day: of } of rows) {
          sums.set(of, (sums.get(of) ?? 0) + to.getTime() - from.getTime());
        }
        for (const sum of sums.values()) {
          expect(sum).toBeLessThanOrEqual(MANUAL_TIME.dayMaxHours * HOUR_MS);
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
