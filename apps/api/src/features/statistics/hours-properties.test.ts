import type { DayFigures, StudyDay, UserId } from '@mogakgong/contract';
import { DAY_MS, HOUR_MS } from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from '../focus/index.ts';
import { createStatisticsRepository } from './statistics.repository.ts';

/** Offsets of half and quarter hours, clocks that are set by half an hour, missing midnights. */
const TIME_ZONES = [
  'Asia/Seoul',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Pacific/Kiritimati',
];
/** Around changes to and from summer time in both hemispheres. */
const BEGINNINGS_MS = ['2027-03-12', '2027-04-02', '2027-10-29', '2028-02-28'].map((day) =>
  Date.parse(`${day}T00:00:00Z`),
);

const { app } = await openTestSite();
let userId: UserId;
beforeAll(async () => {
  ({ userId } = await app.newLearner());
  await app.seat(await app.newLearner());
});

const history = fc.record({
  beginMs: fc.constantFrom(...BEGINNINGS_MS),
  /** Gaps and lengths of intervals in turn: from a moment to days. */
  stretches: fc.array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: 9 * HOUR_MS }),
      lengthMs: fc.oneof(
        fc.integer({ min: 1, max: 2 * HOUR_MS }),
        fc.integer({ min: 1, max: 4 * DAY_MS }),
      ),
      status: fc.constantFrom('focus', 'focus', 'away', 'pause'),
      timeZone: fc.constantFrom(...TIME_ZONES),
      dayStartMinutes: fc.constantFrom(0, 15, 30, 45, 90, 210, 359),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  fromDay: fc.integer({ min: -3, max: 6 }),
  days: fc.integer({ min: 1, max: 8 }),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** Stores the intervals, with the sums of their days as the focus engine keeps them. */
async function store({ beginMs, stretches }: History): Promise<void> {
  let nowMs = beginMs;
  const rows = stretches.map(({ gapMs, lengthMs, ...rest }) => {
    const startedAt = nowMs + gapMs;
    nowMs = startedAt + lengthMs;
    return { ...rest, startedAt, endedAt: nowMs };
  });
  await sql`truncate visit, focus_interval, study_day, study_record cascade`.execute(app.database);
  await sql`
    with visited as (
      insert into visit (user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
      select ${userId}, id, ${new Date(beginMs)}, ${new Date(nowMs)}, 'idle', ${new Date(beginMs)}, 'UTC', 0
      from study_room limit 1 returning id
    )
    insert into focus_interval (user_id, visit_id, status, started_at, ended_at, is_silence,
                                time_zone, day_start_minutes)
    select ${userId}, visited.id, status, started_at, ended_at, false, time_zone, day_start_minutes
    from visited, unnest(
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ startedAt }) => new Date(startedAt))}::timestamptz[],
      ${rows.map(({ endedAt }) => new Date(endedAt))}::timestamptz[],
      ${rows.map(({ timeZone }) => timeZone)}::text[],
      ${rows.map(({ dayStartMinutes }) => dayStartMinutes)}::integer[]
    ) as stretch (status, started_at, ended_at, time_zone, day_start_minutes)`.execute(
    app.database,
  );
  await rebuildRecords(app.database);
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10) as StudyDay;
const sumOf = (figures: readonly DayFigures[]) =>
  figures.reduce((sum, { focusMs }) => sum + focusMs, 0);

it('the hours of a period are the time of its days, wherever they begin', async () => {
  const repository = createStatisticsRepository(app.database);
  await fc.assert(
    fc.asyncProperty(history, async (past) => {
      await store(past);
      const { beginMs, fromDay, days } = past;
      const fromMs = beginMs + fromDay * DAY_MS;
      const period = { from: dateOf(fromMs), to: dateOf(fromMs + (days - 1) * DAY_MS) };
      const now = app.clock.now();
      const hours = await repository.findHours(userId, period, now);
      expect(hours.reduce((sum, { ms }) => sum + ms, 0)).toBe(
        sumOf((await repository.findDays(userId, period, now)).days),
      );
      expect(new Set(hours.map(({ hour }) => hour)).size).toBe(hours.length);
    }),
    { numRuns: 60 },
  );
}, 60_000);
