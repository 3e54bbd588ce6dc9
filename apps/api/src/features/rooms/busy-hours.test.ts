import { type BusyHour, getBusyHours, HOUR_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openTestSite } from '../../../test/test-site.ts';

const WEEK_MS = 7 * 24 * HOUR_MS;

const { app } = await openTestSite({ emptied: ['seat', 'study_room', 'busy_hour'] });

const countAgain = () => app.runJob('busy hours');

it('tells the mean of what the same hours of the last four weeks had at most, with one query', async () => {
  const [learner, other] = await Promise.all([app.newLearner(), app.newLearner()]);
  const hour = Math.floor(app.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  for (const [weeks, learners] of [
    [1, 10],
    [2, 5],
    [4, 6],
    [5, 99],
  ] as const) {
    const at = new Date(hour + 3 * HOUR_MS - weeks * WEEK_MS);
    await sql`insert into busy_hour values (${at}, ${learners})`.execute(app.database);
  }
  await app.seat(learner);
  await countAgain();
  await app.seat(other);
  await countAgain();
  await app.leave(other);
  await countAgain();
  const { rows } = await sql`select learners from busy_hour where hour = ${new Date(hour)}`.execute(
    app.database,
  );
  expect(rows).toEqual([{ learners: 2 }]);

  app.queries.splice(0);
  const answer = await app.inject({ url: getBusyHours.path, headers: learner.headers });
  expect(answer.json()).toEqual({ hours: [{ beginsAtMs: hour + 3 * HOUR_MS, learners: 7 }] });
  expect(app.queries.filter((text) => text.includes('busy_hour'))).toHaveLength(1);
});

it('tells nothing of an hour with so few learners that one of them may be known', async () => {
  const learner = await app.newLearner();
  const hour = Math.floor(app.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  for (const [ahead, learners] of [
    [1, 1],
    [2, 2],
    [4, 3],
  ] as const) {
    const at = new Date(hour + ahead * HOUR_MS - WEEK_MS);
    await sql`insert into busy_hour values (${at}, ${learners})
              on conflict (hour) do update set learners = excluded.learners`.execute(app.database);
  }
  const answer = await app.inject({ url: getBusyHours.path, headers: learner.headers });
  const { hours } = answer.json<{ hours: BusyHour[] }>();
  expect(hours.filter(({ beginsAtMs }) => beginsAtMs !== hour + 3 * HOUR_MS)).toEqual([
    { beginsAtMs: hour + 4 * HOUR_MS, learners: 3 },
  ]);
});

it('forgets counts that no estimate needs', async () => {
  const old = new Date(app.clock.now().getTime() - 4 * WEEK_MS - 2 * HOUR_MS);
  await sql`insert into busy_hour values (${old}, 3)`.execute(app.database);
  await countAgain();
  const { rows } = await sql<{ left: number }>`
    select count(*)::integer as left from busy_hour where hour <= ${old}`.execute(app.database);
  expect(rows).toEqual([{ left: 0 }]);
});
