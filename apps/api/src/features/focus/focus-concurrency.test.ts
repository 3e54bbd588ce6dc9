import { type RoomId, timerMoves } from '@mogakgong/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Learner, TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from './rebuild.ts';

const LEARNERS = 8;
const ROUNDS = 15;
const AT_ONCE = 6;

const { app: first } = await openTestSite();
const { app: second } = await openTestSite({ besides: first });
const apps = [first, second];

/** State of a repeatable random generator. */
let seed = 7;
const roll = (sides: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * sides);
};

async function act(app: TestApp, { userId, headers }: Learner, room: RoomId): Promise<number> {
  const what = roll(8);
  const query = { userId: String(userId) };
  if (what === 0) {
    return (await app.inject({ method: 'POST', url: '/api/study-rooms/leave', query, headers }))
      .statusCode;
  }
  if (what === 1 || what === 2) {
    return (await app.inject({ method: 'POST', url: '/api/study-rooms/enter', query, headers }))
      .statusCode;
  }
  if (what === 3) {
    const payload = {
      timeZone: ['Asia/Seoul', 'Europe/London'][roll(2)],
      dayStartMinutes: roll(7) * 60,
      startsOnEntering: roll(2) === 0,
    };
    return (await app.inject({ method: 'PUT', url: '/api/user/settings/focus', payload, headers }))
      .statusCode;
  }
  const move = timerMoves[roll(timerMoves.length)];
  const payload = { userId, roomId: room };
  return (await app.inject({ method: 'POST', url: `/api/timer/${move}`, payload, headers }))
    .statusCode;
}

it('stays whole when everything happens at once, in two processes', async () => {
  const learners = await Promise.all(Array.from({ length: LEARNERS }, () => first.newLearner()));
  const room = await first.seat(learners[0] as Learner);
  const statusCodes = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const renewed = await Promise.all(learners.map((learner) => first.renew(learner)));
    const acts = renewed.flatMap((learner) =>
      Array.from({ length: AT_ONCE }, (_, index) => act(index % 2 ? second : first, learner, room)),
    );
    const jobs = apps.map((app) => app.runJob('silent learners'));
    for (const code of await Promise.all(acts)) statusCodes.add(code);
    await Promise.all(jobs);
    const ms = roll(200_000);
    for (const app of apps) app.clock.advance(ms);
  }
  expect([...statusCodes].filter((code) => ![200, 403, 409].includes(code))).toEqual([]);

  const { rows: overlaps } = await sql`
    select from focus_interval as one join focus_interval as two
      on one.user_id = two.user_id and one.started_at < two.started_at and two.started_at < one.ended_at
  `.execute(first.database);
  expect(overlaps).toHaveLength(0);
  const { rows: lonely } = await sql`
    select from seat full join (select user_id from visit where ended_at is null) as open using (user_id)
    where seat.room_id is null or open.user_id is null`.execute(first.database);
  expect(lonely).toHaveLength(0);
  const { rows: counted } = await sql<{ intervals: number }>`
    select count(*)::integer as intervals from focus_interval`.execute(first.database);
  expect(counted[0]?.intervals).toBeGreaterThan(LEARNERS);
  expect(await rebuildRecords(first.database)).toMatchObject({ corrected: 0 });
});
