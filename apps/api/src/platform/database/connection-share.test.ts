import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../../test/test-app.ts';
import { createInProcessBackplane } from '../backplane/index.ts';
import { poolShare } from './index.ts';

it('the pools of all processes stay below what the database takes', async () => {
  const backplane = { ...createInProcessBackplane(), processes: 1 };
  const app = await createTestApp({ backplane, env: { DATABASE_POOL: '8' } });
  onTestFinished(() => app.close());
  const { database } = app;
  const { rows } = await sql<{ most: number }>`
    select current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer as most`.execute(database);
  const most = rows[0]?.most ?? 0;
  const shareOf = (processes: number, wanted = 1_000) => poolShare(database, { wanted, processes });
  expect(await shareOf(1)).toBe(most - 5);
  expect(await shareOf(4)).toBe(Math.floor((most - 3) / 4) - 2);
  expect(await shareOf(1, 8)).toBe(8);
  expect(await shareOf(1_000)).toBe(2);

  await sql`alter database ${sql.id(app.databaseName)} connection limit 30`.execute(database);
  expect(await shareOf(3)).toBe(7);
  await app.runJob('database connections');
  expect(database.connections.most).toBe(8);
  backplane.processes = 3;
  // Connections that are never idle are given up, too.
  const busy = Array.from({ length: 8 }, async () => {
    for (let count = 0; count < 20; count += 1) await sql`select pg_sleep(0.01)`.execute(database);
  });
  await app.runJob('database connections');
  expect(database.connections.most).toBe(7);
  await Promise.all(busy);
  const slow = Array.from({ length: 20 }, () => sql`select pg_sleep(0.05)`.execute(database));
  const { rows: open } = await sql<{ count: number }>`
    select count(*)::integer from pg_stat_activity
    where datname = current_database() and application_name = 'mogakgong'`.execute(database);
  await Promise.all(slow);
  expect(open[0]?.count).toBeLessThanOrEqual(7);
});
