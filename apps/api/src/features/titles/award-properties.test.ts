import {
  ATTENDANCE_MIN_MS,
  DAY_MS,
  findTitle,
  getOwnTitles,
  getStatistics,
  HOUR_MS,
  MINUTE_MS,
  type OwnTitle,
  type Statistics,
  TIME_OF_DAY_MIN_MS,
  type TitleFigure,
  timesOfDay,
  titleCatalogue,
  WEEKEND_DAY_MIN_MS,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const SEOUL_AHEAD_MS = 9 * HOUR_MS;

const { app, clients } = await openTestSite();

type Span = readonly [fromMs: number, toMs: number];

/** Focus by day of local time in Seoul, all of it or between two hours. */
function focusByDay(spans: readonly Span[], fromHour = 0, toHour = 24): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [from, to] of spans.map(
    (span) => span.map((ms) => ms + SEOUL_AHEAD_MS) as [number, number],
  )) {
    for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day += 1) {
      const begin = Math.max(from, day * DAY_MS + fromHour * HOUR_MS);
      const end = Math.min(to, day * DAY_MS + toHour * HOUR_MS);
      if (end > begin) sums.set(day, (sums.get(day) ?? 0) + end - begin);
    }
  }
  return sums;
}

const countOf = (sums: ReadonlyMap<number, number>, minMs: number) =>
  [...sums.values()].filter((ms) => ms >= minMs).length;

function longestRow(days: readonly number[]): number {
  let [row, longest, last] = [0, 0, Number.NaN];
  for (const day of days.toSorted((a, b) => a - b)) {
    row = day === last + 1 ? row + 1 : 1;
    longest = Math.max(longest, row);
    last = day;
  }
  return longest;
}

/** The figures of titles, computed directly from all intervals: the product counts them incrementally. */
function figuresOf(spans: readonly Span[]): Record<TitleFigure, number> {
  const days = focusByDay(spans);
  const attended = [...days].filter(([, ms]) => ms >= ATTENDANCE_MIN_MS).map(([day]) => day);
  const { night, dawn } = timesOfDay;
  // 1 January 1970 was a Thursday.
  const isWeekend = ([day]: readonly [number, number]) => [2, 3].includes(day % 7);
  return {
    focusSeconds: Math.floor(spans.reduce((sum, [from, to]) => sum + to - from, 0) / 1_000),
    attendanceDays: attended.length,
    streakDays: longestRow(attended),
    bestDaySeconds: Math.floor(Math.max(0, ...days.values()) / 1_000),
    nights: countOf(focusByDay(spans, night.fromHour, night.toHour), TIME_OF_DAY_MIN_MS),
    dawns: countOf(focusByDay(spans, dawn.fromHour, dawn.toHour), TIME_OF_DAY_MIN_MS),
    weekendDays: countOf(new Map([...days].filter(isWeekend)), WEEKEND_DAY_MIN_MS),
  };
}

async function spansOf({ userId }: Learner): Promise<Span[]> {
  const { rows } = await sql<{ started_at: Date; ended_at: Date }>`
    select started_at, ended_at from focus_interval
    where user_id = ${userId} and status = 'focus' order by started_at`.execute(app.database);
  return rows.map(({ started_at, ended_at }) => [started_at.getTime(), ended_at.getTime()]);
}

async function titlesOf({ userId, headers }: Learner): Promise<OwnTitle[]> {
  const url = getOwnTitles.path.replace(':userId', String(userId));
  return (await app.inject({ url, headers })).json<OwnTitle[]>();
}

const keysOf = (titles: readonly OwnTitle[]) =>
  titles.filter(({ acquiredAt }) => acquiredAt !== null).map(({ key }) => key);

/** The attended days and days in a row in the progress of titles that are far away. */
function attendanceIn(titles: readonly OwnTitle[]) {
  const progressTo = (key: string) => titles.find((title) => title.key === key)?.progress.current;
  return [progressTo('days-365'), progressTo('streak-100')];
}

/** The same as statistics count it. */
async function attendanceOf({ headers }: Learner) {
  const answer = await app.inject({ url: getStatistics.path, headers });
  const { totalAttendanceDays, continueAttendanceDays } = answer.json<Statistics>();
  return [totalAttendanceDays, continueAttendanceDays];
}

const deservedBy = (spans: readonly Span[]): string[] => {
  const figures = figuresOf(spans);
  return titleCatalogue
    .filter(({ figure, threshold }) => figures[figure] >= threshold)
    .map(({ key }) => key);
};

/**
 * A visit: its beginning after the previous one, the length of each of its parts, and whether it is
 * evaluated.
 */
const visits = fc.array(
  fc.record({
    gapMinutes: fc.oneof(fc.nat(90), fc.integer({ min: 8 * 60, max: 30 * 60 })),
    stretches: fc.array(
      fc.record({
        move: fc.constantFrom('pause', 'resume', 'none'),
        ms: fc.oneof(fc.nat(2 * MINUTE_MS), fc.nat(11 * HOUR_MS), fc.constant(30 * MINUTE_MS)),
        isEvaluated: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { minLength: 3, maxLength: 12 },
);

it('counts in steps, while focus runs and after, what all intervals together say', async () => {
  await fc.assert(
    fc.asyncProperty(visits, async (history) => {
      const learner = await withLastingLogIn(await app.newLearner());
      const early = new Set<string>();
      for (const { gapMinutes, stretches } of history) {
        app.clock.advance(gapMinutes * MINUTE_MS);
        const roomId = await app.seat(learner);
        for (const { move, ms, isEvaluated } of stretches) {
          app.clock.advance(ms);
          await app.recordSeen(learner);
          if (isEvaluated) {
            const titles = await titlesOf(learner);
            for (const key of keysOf(titles)) early.add(key);
            expect(attendanceIn(titles)).toEqual(await attendanceOf(learner));
          }
          if (move === 'none') continue;
          await app.move(learner, move, roomId);
        }
        await app.leave(learner);
      }
      const deserved = deservedBy(await spansOf(learner));
      expect(keysOf(await titlesOf(learner))).toEqual(deserved);
      // Titles won while it ran are among them: none was awarded too early.
      expect(deserved).toEqual(expect.arrayContaining([...early]));
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** Running focus, round by round: the time after the previous one, and the action then. */
const rounds = fc.record({
  startMinute: fc.nat(7 * 24 * 60),
  steps: fc.array(
    fc.record({
      ms: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 10 * MINUTE_MS }) },
        { weight: 3, arbitrary: fc.constantFrom(1, MINUTE_MS - 1, MINUTE_MS, 30 * MINUTE_MS) },
        fc.nat(4 * HOUR_MS),
      ),
      pauseMs: fc.option(fc.nat(HOUR_MS), { freq: 8 }),
    }),
    { minLength: 20, maxLength: 40 },
  ),
});

it('awards in each round what the focus up to it has come to, however few learners it evaluates', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async ({ startMinute, steps }) => {
      app.clock.advance(startMinute * MINUTE_MS);
      const learner = await withLastingLogIn(await app.newLearner());
      const roomId = await app.seat(learner);
      let startMs = app.clock.now().getTime();
      await clients.connectSeated(app, learner);
      const spans: Span[] = [];
      for (const { ms, pauseMs } of steps) {
        app.clock.advance(ms);
        const nowMs = app.clock.now().getTime();
        await app.recordSeen(learner);
        await app.runJob('titles of those who focus');
        const { rows } = await sql<{ title_id: number }>`
          select title_id from user_title where user_id = ${learner.userId} order by title_id
        `.execute(app.database);
        const won = rows.map(({ title_id }) => findTitle(title_id)?.key);
        expect(won).toEqual(deservedBy([...spans, [startMs, nowMs]]));
        if (pauseMs === null) continue;
        await app.move(learner, 'pause', roomId);
        spans.push([startMs, nowMs]);
        app.clock.advance(pauseMs);
        await app.move(learner, 'resume', roomId);
        startMs = app.clock.now().getTime();
      }
      await app.leave(learner);
      await clients.closeAll();
    }),
    { numRuns: 8 },
  );
}, 120_000);
