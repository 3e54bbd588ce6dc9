import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { visitsOfSeats } from '../focus/index.ts';
import { createRoomsRepository } from './rooms.repository.ts';
import { createRosterQueries } from './roster-queries.ts';

const ROOMS = 100;
const ROUNDS = 60;

const { app } = await openTestSite();
let userIds: UserId[];

beforeEach(async () => {
  await app.empty('seat', 'study_room', 'users');
  await sql`
    insert into study_room (capacity, occupancy) select 10, 10 from generate_series(1, ${ROOMS})`.execute(
    app.database,
  );
  await sql`
    insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
    select n || '@bulk', 'n' || n, '', '', '', 'LOCAL' from generate_series(1, ${ROOMS * 10}) as n`.execute(
    app.database,
  );
  const { rows } = await sql<{ user_id: UserId }>`
    insert into seat (user_id, room_id, entered_at, last_seen_at)
    select id, 1 + id * 7 % ${ROOMS}, now(), now() from users order by id desc
    returning user_id`.execute(app.database);
  await sql`analyze seat`.execute(app.database);
  userIds = rows.map((row) => row.user_id);
});

const signsOf = (ids: readonly UserId[]) => ids.map((userId) => ({ userId, at: new Date() }));

describe('changes of many seats at once', () => {
  it('take their locks in one order: none stands in the way of another', async () => {
    const queries = createRosterQueries(app.database, visitsOfSeats);
    // A few are found by the index, in the order of learners; all of them by a table scan, in its order.
    const few = userIds.filter((id) => id % 150 === 0);
    const others = userIds.filter((id) => id % 150 === 75);
    const all = userIds.toReversed();
    for (let round = 0; round < ROUNDS; round += 1) {
      const isConnected = round % 2 === 0;
      await Promise.all([
        queries.touchSeats(signsOf(all), new Date(), 60_000),
        queries.touchSeats(signsOf(few), new Date(), 60_000),
        queries.setConnected(all, isConnected),
        queries.setConnected(few, !isConnected),
        queries.setConnected([...others, ...few], isConnected),
        queries.giveUpSilentSeats(all, new Date(0)),
      ]);
    }
    const { rows } = await sql<{ number: number }>`
      select sum(roster_number)::bigint as number from study_room`.execute(app.database);
    expect(rows[0]?.number).toBeGreaterThan(0);
  });

  it('are tried again when somebody else stood in their way', async () => {
    const rooms = createRoomsRepository(app.database, visitsOfSeats);
    const [userId] = userIds as [UserId];
    const changed = await app.database.transaction().execute(async (transaction) => {
      // The transaction with the shorter timeout detects the deadlock, and is rolled back for it.
      await sql`set local deadlock_timeout = '1min'`.execute(transaction);
      await sql`update study_room set capacity = capacity`.execute(transaction);
      const changing = rooms.setConnected([userId], false);
      await untilLocked(app.database, 1);
      await sql`update seat set last_seen_at = now() where user_id = ${userId}`.execute(
        transaction,
      );
      return { changing };
    });
    expect(await changed.changing).toMatchObject([{ userId, number: 1 }]);
    const { rows } = await sql`select is_connected from seat where user_id = ${userId}`.execute(
      app.database,
    );
    expect(rows).toEqual([{ is_connected: false }]);
  });
});
