import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { TEMPLATE_DATABASE } from '../../../../../test/global-setup.ts';
import { createLogger } from '../logger/index.ts';
import { createDatabase, isDatabaseUp, migrate } from './index.ts';

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
  expect(await isDatabaseUp(database)).toBe(true);
  await database.destroy();
});

it('applies a migration whose number is lower than that of one that was applied before', async () => {
  const connection = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(connection, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const database = createDatabase({
    connection: { ...connection, database: name },
    logger: createLogger('fatal'),
  });
  try {
    await sql`drop table email_change`.execute(database);
    await sql`delete from kysely_migration where name = '022-email-changes'`.execute(database);
    expect(await migrate(database)).toEqual(['022-email-changes']);
    expect(await migrate(database)).toEqual([]);
    await sql`insert into kysely_migration values ('999-of-a-newer-version', '')`.execute(database);
    await expect(migrate(database)).rejects.toThrow(/newer version/u);
  } finally {
    await database.destroy();
    await query(connection, `drop database ${name}`);
  }
});
