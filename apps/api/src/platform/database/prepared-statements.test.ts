import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { createLogger } from '../logger/index.ts';
import { createDatabase, retryConflict } from './index.ts';

let app: TestApp;
/** One connection, so that the statements of a test share their plans. */
let database: ReturnType<typeof createDatabase>;

beforeEach(async () => {
  app = await createTestApp();
  const connection = { ...inject('postgres'), database: app.databaseName };
  database = createDatabase({ connection, logger: createLogger('silent'), poolSize: 1 });
  await sql`create table lamp (id integer)`.execute(database);
  await sql`insert into lamp values (1)`.execute(database);
});
afterEach(async () => {
  await database.destroy();
  await app.close();
});

const findLamp = (db: Kysely<object>) => sql`select * from lamp where id = ${1}`.execute(db);
const planned = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_prepared_statements where statement like '%lamp where%'
      and statement not like '%pg_prepared%'`.execute(database);
  return rows[0]?.count;
};

it('plans a statement with parameters once a connection', async () => {
  for (let round = 0; round < 3; round += 1) {
    expect((await findLamp(database)).rows).toEqual([{ id: 1 }]);
  }
  expect(await planned()).toBe(1);
});

it('goes on when a table has changed under a plan', async () => {
  await findLamp(database);
  await sql`alter table lamp add column colour text default 'amber'`.execute(database);
  const changed = { id: 1, colour: 'amber' };
  expect((await findLamp(database)).rows).toEqual([changed]);
  // The connection with the old plan is gone: later statements are planned again.
  expect((await findLamp(database)).rows).toEqual([changed]);
  expect(await planned()).toBe(1);
});

it('does a transaction once more when a table has changed under one of its plans', async () => {
  await findLamp(database);
  await sql`alter table lamp add column colour text default 'amber'`.execute(database);
  let tries = 0;
  const { rows } = await retryConflict(() =>
    database.transaction().execute((transaction) => {
      tries += 1;
      return findLamp(transaction);
    }),
  );
  expect([rows, tries]).toEqual([[{ id: 1, colour: 'amber' }], 2]);
});

it('names a statement by its text, so that no other process can mean another by it', async () => {
  await findLamp(database);
  const connection = { ...inject('postgres'), database: app.databaseName };
  const other = createDatabase({ connection, logger: createLogger('silent'), poolSize: 1 });
  await sql`select ${1}::integer`.execute(other);
  await findLamp(other);
  const nameIn = async (db: Kysely<object>) => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like '%lamp where%'
        and statement not like '%pg_prepared%'`.execute(db);
    return rows[0]?.name;
  };
  const [one, two] = [await nameIn(database), await nameIn(other)];
  await other.destroy();
  expect(one).toMatch(/^[0-9a-f]{32}$/u);
  expect(two).toBe(one);
});

it('goes on when a pooler has changed the connection under its names', async () => {
  await findLamp(database);
  await sql`deallocate all`.execute(database);
  expect((await findLamp(database)).rows).toEqual([{ id: 1 }]);
});
