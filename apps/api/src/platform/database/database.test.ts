import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { createLogger } from '../logger/index.ts';
import { createDatabase, isDatabaseUp } from './index.ts';

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
