import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { createLogger } from '../logger/index.ts';
import { createDatabase, migrate, type PooledDatabase } from './index.ts';

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

/** Runs `use` on an empty database. */
async function onEmptyDatabase(
  options: { readonly statementTimeoutMs?: number },
  use: (database: PooledDatabase) => Promise<void>,
): Promise<void> {
  const connection = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(connection, `create database ${name} template template0`);
  const database = createDatabase({
    connection: { ...connection, database: name },
    logger: createLogger('fatal'),
    ...options,
  });
  try {
    await use(database);
  } finally {
    await database.destroy();
    await query(connection, `drop database ${name}`);
  }
}

/** A folder of migrations, each the body of its `up`. */
async function writeMigrations(
  bodies: Readonly<Record<string, string>>,
  exported: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(
      path.join(folder, `${name}.ts`),
      `export const up = async (db) => { ${body} };\n${exported[name] ?? ''}`,
    );
  }
  return folder;
}

const addTable = (name: string) => `await db.schema.createTable('${name}').execute()`;

it('applies a migration whose number is lower than that of one that was applied before', () =>
  onEmptyDatabase({}, async (database) => {
    const second = { '002-second': addTable('second') };
    expect(await migrate(database, await writeMigrations(second))).toEqual(['002-second']);
    const both = await writeMigrations({ ...second, '001-first': addTable('first') });
    expect(await migrate(database, both)).toEqual(['001-first']);
    expect(await migrate(database, both)).toEqual([]);
  }));

it('leaves the schema as it was when one of several migrations fails, and says why', () =>
  onEmptyDatabase({}, async (database) => {
    const bodies = { '001-first': addTable('first'), '002-second': addTable('first') };
    await expect(migrate(database, await writeMigrations(bodies))).rejects.toThrow(
      /left as it was: relation "first" already exists/u,
    );
    const { rows } = await sql`select from pg_tables where tablename = 'first'`.execute(database);
    expect(rows).toEqual([]);
  }));

it('lets a migration take longer than other statements may', () =>
  onEmptyDatabase({ statementTimeoutMs: 300 }, async (database) => {
    const slow = `await db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.lit(1)]).as('slept')).execute()`;
    expect(await migrate(database, await writeMigrations({ '001-slow': slow }))).toEqual([
      '001-slow',
    ]);
    await expect(sql`select pg_sleep(1)`.execute(database)).rejects.toThrow(/statement timeout/u);
  }));

it('waits for a table that is in use without keeping others from it, and changes it then', () =>
  onEmptyDatabase({}, async (database) => {
    const first = { '001-first': addTable('first') };
    await migrate(database, await writeMigrations(first));
    const inUse = await database.startTransaction().execute();
    await sql`select from first`.execute(inUse);
    const change = "await db.schema.alterTable('first').addColumn('more', 'integer').execute()";
    const folder = await writeMigrations({ ...first, '002-change': change });
    let isDone = false;
    const migrating = migrate(database, folder, 200).finally(() => {
      isDone = true;
    });
    let longestMs = 0;
    for (let count = 0; count < 15; count += 1) {
      const beganMs = performance.now();
      await sql`select from first, pg_sleep(0.1)`.execute(database);
      longestMs = Math.max(longestMs, performance.now() - beganMs);
    }
    expect(isDone).toBe(false);
    expect(longestMs).toBeLessThan(1_000);
    await inUse.rollback().execute();
    expect(await migrating).toEqual(['002-change']);
  }));

it.each([
  {
    made: 'by a newer version',
    step: '999-of-a-newer-version',
    says: /newer version.*999-of-a-newer-version/u,
  },
  {
    made: 'before the baseline',
    step: '001-accounts',
    says: /before the first release.*CHANGELOG\.md/u,
  },
])('changes nothing of a database that was made $made, and says what to do', ({ step, says }) =>
  onEmptyDatabase({}, async (database) => {
    const theirs = await writeMigrations({ [step]: addTable('theirs') });
    await migrate(database, theirs);
    await expect(migrate(database)).rejects.toThrow(says);
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by name`.execute(
      database,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'kysely_migration',
      'kysely_migration_lock',
      'theirs',
    ]);
    expect(await migrate(database, theirs)).toEqual([]);
  }),
);

describe('the schema of a newer release', () => {
  const first = {
    '001-first': "await db.schema.createTable('breaking_step').addColumn('name', 'text').execute()",
  };

  it('is used as it is where it only adds, also at a new start', () =>
    onEmptyDatabase({}, async (database) => {
      await migrate(database, await writeMigrations({ ...first, '002-more': addTable('more') }));
      const before = await writeMigrations(first);
      expect(await migrate(database, before)).toEqual([]);
      // A step of a branch that the newer release does not have is applied beside it.
      const aside = await writeMigrations({ ...first, '003-aside': addTable('aside') });
      expect(await migrate(database, aside)).toEqual(['003-aside']);
    }));

  it('is used by a process that starts while the newer one applies it, however long that takes', () =>
    onEmptyDatabase({ statementTimeoutMs: 300 }, async (database) => {
      const before = await writeMigrations(first);
      await migrate(database, before);
      const slow = `await db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.lit(1)]).as('slept')).execute()`;
      const newer = migrate(database, await writeMigrations({ ...first, '002-slow': slow }));
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and query like '%pg_sleep%' and wait_event = 'PgSleep'`.execute(
          database,
        );
        expect(rows).toHaveLength(1);
      });
      expect(await migrate(database, before, 200)).toEqual([]);
      expect(await newer).toEqual(['002-slow']);
    }));

  it('is refused where a step of it is breaking', () =>
    onEmptyDatabase({}, async (database) => {
      const newer = { ...first, '002-more': addTable('more'), '003-less': addTable('less') };
      const breaking = { '003-less': 'export const isBreaking = true;' };
      await migrate(database, await writeMigrations(newer, breaking));
      await expect(migrate(database, await writeMigrations(first))).rejects.toThrow(
        /newer version.*003-less/u,
      );
      const { '003-less': _, ...without } = newer;
      await expect(migrate(database, await writeMigrations(without))).rejects.toThrow(/003-less/u);
      expect(await migrate(database, await writeMigrations(newer, breaking))).toEqual([]);
    }));
});
