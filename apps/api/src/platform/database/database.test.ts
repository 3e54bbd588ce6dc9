import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, it, vi } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { TEMPLATE_DATABASE } from '../../../../../test/global-setup.ts';
import { createLogger } from '../logger/index.ts';
import { createDatabase, type Database, migrate } from './index.ts';

it('survives that the database goes away in the middle of a transaction', async () => {
  const connection = inject('postgres');
  const database = createDatabase({ connection, logger: createLogger('fatal') });
  const work = database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      transaction,
    );
    const pid = rows[0]?.pid;
    await query(connection, `select pg_terminate_backend(${pid}, 5000)`);
    await sql`select 1`.execute(transaction);
  });
  await expect(work).rejects.toThrow();
  expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  await database.destroy();
});

/** Runs `use` on a database without migration 022. */
async function withoutEmailChanges(
  use: (database: Database) => Promise<void>,
  options?: { statementTimeoutMs: number },
): Promise<void> {
  const connection = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(connection, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const database = createDatabase({
    connection: { ...connection, database: name },
    logger: createLogger('fatal'),
    ...options,
  });
  try {
    await sql`drop table email_change`.execute(database);
    await sql`delete from kysely_migration where name = '022-email-changes'`.execute(database);
    await use(database);
  } finally {
    await database.destroy();
    await query(connection, `drop database ${name}`);
  }
}

it('applies a migration whose number is lower than that of one that was applied before', () =>
  withoutEmailChanges(async (database) => {
    expect(await migrate(database)).toEqual(['022-email-changes']);
    expect(await migrate(database)).toEqual([]);
    await sql`insert into kysely_migration values ('999-of-a-newer-version', '')`.execute(database);
    await expect(migrate(database)).rejects.toThrow(/newer version/u);
  }));

it('lets a migration take longer than other statements may', () =>
  withoutEmailChanges(
    async (database) => {
      const holding = database.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 0`.execute(transaction);
        await sql`lock table users in row exclusive mode`.execute(transaction);
        await sql`select pg_sleep(1)`.execute(transaction);
      });
      await untilHeld(database);
      // It refers to the locked table.
      expect(await migrate(database)).toEqual(['022-email-changes']);
      await holding;
      await expect(sql`select pg_sleep(1)`.execute(database)).rejects.toThrow(/statement timeout/u);
    },
    { statementTimeoutMs: 300 },
  ));

/** Waits until a transaction holds a write lock on the table of users. */
async function untilHeld(database: Database): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_locks where relation = 'users'::regclass and granted
        and mode = 'RowExclusiveLock'`.execute(database);
    expect(rows).toHaveLength(1);
  });
}
