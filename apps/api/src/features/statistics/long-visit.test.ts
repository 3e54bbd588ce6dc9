import { exportIntervals, getVisits, VISIT_MAX_INTERVALS, type Visit } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { costOf } from '../../../test/focus-history.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { visitsQuery } from './visits-query.ts';

/** A move of the timer every two seconds for a day. */
const INTERVALS = 43_200;
/** Pages read for a list of that visit: those of the listed intervals, and the index pages. */
const BUFFERS_MAX = 60;
/**
 * Relative to the processor time that this process needs to read the same intervals as objects; about a
 * seventh.
 */
const EXPORT_CPU_RATIO_MAX = 1 / 2;
/** The smallest of several runs counts: a garbage collection for earlier tests falls into one or another. */
const TRIES = 5;

const { app } = await openTestSite();
let learner: Learner;
beforeAll(async () => {
  learner = await app.newLearner();
  await app.seat(learner);
  await app.leave(learner);
  const begin = sql`'2030-01-01T00:00:00Z'::timestamptz`;
  await sql`
    update visit set began_at = ${begin}, since = ${begin}, ended_at = ${begin} + interval '1 day'
    where user_id = ${learner.userId}`.execute(app.database);
  await sql`
    insert into focus_interval
    select user_id, began_at + make_interval(secs => 2 * n), began_at + make_interval(secs => 2 * n + 2),
           id, case when n % 2 = 1 then 'pause' else 'focus' end, false, 'UTC', 0
    from visit, generate_series(0, ${INTERVALS - 1}::integer) as n
    where user_id = ${learner.userId}`.execute(app.database);
  await sql`vacuum analyze focus_interval`.execute(app.database);
});

it('lists the latest intervals of a long visit, and reads no others', async () => {
  const answer = await app.inject({ url: getVisits.path, headers: learner.headers });
  const [visit] = answer.json<{ visits: Visit[] }>().visits;
  expect(visit).toMatchObject({ hasEarlier: true, endedAtMs: Date.parse('2030-01-02T00:00:00Z') });
  expect(visit?.intervals).toHaveLength(VISIT_MAX_INTERVALS);
  expect(visit?.intervals.at(-1)?.endedAtMs).toBe(visit?.endedAtMs);
  const { buffers } = await costOf(
    app.database,
    visitsQuery(learner.userId, { before: undefined, count: 21 }, new Date()),
  );
  expect(buffers).toBeLessThanOrEqual(BUFFERS_MAX);
});

it('is exported whole, and leaves the process to others meanwhile', async () => {
  const query = { from: '2030-01-01', to: '2030-01-01' };
  const ask = () => app.inject({ url: exportIntervals.path, query, headers: learner.headers });
  expect((await ask()).body.trim().split('\r\n')).toHaveLength(INTERVALS + 1);
  const readObjects = () =>
    sql`select * from focus_interval where user_id = ${learner.userId}`.execute(app.database);
  let [exportMs, objectsMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < TRIES; n += 1) {
    exportMs = Math.min(exportMs, await cpuMs(ask));
    objectsMs = Math.min(objectsMs, await cpuMs(readObjects));
  }
  expect(exportMs / objectsMs).toBeLessThan(EXPORT_CPU_RATIO_MAX);
});

/** The processor time that this process spends on `work`. */
async function cpuMs(work: () => PromiseLike<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
