import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createRoomsRepository } from '../rooms/index.ts';
import { visitsOfSeats } from './visits.ts';

const FORGIVEN_MS = 90_000;

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });

async function storedSign({ userId } = learner): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select last_seen_at as at from seat where user_id = ${userId}`.execute(app.database);
  return rows[0]?.at;
}

describe('proof of life', () => {
  it('is written every thirty seconds while a learner is there, and exactly when they go', async () => {
    learner = await app.newLearner();
    await app.seat(learner);
    const client = await clients.connectSeated(app, learner);
    const written = [];
    for (let round = 0; round < 6; round += 1) {
      const before = await storedSign();
      app.clock.advance(10_000);
      await app.runJob('proof of life');
      written.push((await storedSign())?.getTime() !== before?.getTime());
    }
    expect(written).toEqual([false, false, true, false, false, true]);
    app.clock.advance(10_000);
    await client.close();
    const goneMs = app.clock.now().getTime();
    await vi.waitFor(async () => {
      expect(goneMs - ((await storedSign())?.getTime() ?? 0)).toBeLessThan(5_000);
    });
  });

  it('is written exactly when a process ends in order', async () => {
    const other = await createTestApp({ besides: app });
    await other.listen();
    learner = await other.newLearner();
    await other.seat(learner);
    await clients.connectSeated(other, learner);
    other.clock.advance(20_000);
    await other.runJob('proof of life');
    const endingMs = other.clock.now().getTime();
    expect(endingMs - ((await storedSign())?.getTime() ?? 0)).toBeGreaterThan(15_000);
    expect(other.logLines.filter((line) => line.includes('could not'))).toEqual([]);
    await other.close();
    expect(other.logLines.filter((line) => line.includes('could not'))).toEqual([]);
    expect(endingMs - ((await storedSign())?.getTime() ?? 0)).toBeLessThan(5_000);
  });

  it('of learners who have just left is written before the process ends', async () => {
    const other = await createTestApp({ besides: app });
    await other.listen();
    const first = await other.newLearner();
    learner = await other.newLearner();
    await other.seat(first);
    await other.seat(learner);
    const firstClient = await clients.connectSeated(other, first);
    const client = await clients.connectSeated(other, learner);
    other.clock.advance(20_000);
    const goneMs = other.clock.now().getTime();
    const held = await app.database.startTransaction().execute();
    await sql`select from seat where user_id = ${first.userId} for update`.execute(held);
    await firstClient.close();
    await untilLocked(app.database, 1);
    // Waits for its turn behind the first.
    await client.close();
    const closing = other.close();
    // Without anything to wait for it would have closed its database by now.
    for (let turn = 0; turn < 50; turn += 1) await storedSign();
    await held.rollback().execute();
    await closing;
    expect(goneMs - ((await storedSign())?.getTime() ?? 0)).toBeLessThan(5_000);
    expect(other.logLines.filter((line) => line.includes('could not record'))).toEqual([]);
  });

  it('of a quiet learner is their last sign, however young the stored one', async () => {
    learner = await app.newLearner();
    await app.seat(learner);
    const [enteredMs, { userId }] = [app.clock.now().getTime(), learner];
    const repository = createRoomsRepository(app.database, visitsOfSeats);
    const recordAt = (nowMs: number, at: Date) =>
      repository.touchSeats([{ userId, at }], new Date(nowMs), FORGIVEN_MS);
    const last = new Date(enteredMs + 20_000);
    await recordAt(enteredMs + 25_000, last);
    expect(await storedSign()).toEqual(new Date(enteredMs));
    await recordAt(enteredMs + 35_000, last);
    expect(await storedSign()).toEqual(last);
  });

  it('is a column without an index: its updates stay in their page', async () => {
    const { rows } = await sql`
      select from pg_indexes where tablename = 'seat' and indexdef like '%last_seen_at%'`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
  });
});

it('counts connected learners, and the rooms that they sit in', async () => {
  const [here, lost, other] = await Promise.all([1, 2, 3].map(() => app.newLearner()));
  if (!here || !lost || !other) throw new Error('learners are missing');
  await app.seat(here);
  await app.seat(lost);
  await app.seat(other, await app.openRoom());
  const repository = createRoomsRepository(app.database, visitsOfSeats);
  expect(await repository.findLiveliness()).toMatchObject({ learners: 3, rooms: 2 });
  await repository.setConnected([lost.userId, other.userId], false);
  expect(await repository.findLiveliness()).toMatchObject({ learners: 1, rooms: 1 });
});
