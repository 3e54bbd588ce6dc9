import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CompiledQuery } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Database } from './database.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { letStatementsTake } from './prepared-statements.ts';

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../migrations');

/**
 * How long a migration waits for a lock. Everybody who needs the table queues behind it meanwhile, also for a
 * process that still serves: it gives up, lets them pass, and tries again.
 */
const LOCK_WAIT_MS = 2_000;
const LOCK_TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/** The first step of databases that were made before `001-baseline` took the place of all steps. */
const BEFORE_BASELINE = '001-accounts';
/** Kysely's error about a step that this code does not have. */
const UNKNOWN_STEP = /previously executed migration (?<step>\S+) is missing/u;

/**
 * Reads `NNN-name.ts` in a folder: forward only, new ones applied in order of their numbers, in one
 * transaction. A migration that changes every row of a large table takes longer than other statements may.
 */
const readMigrations = (folder: string, lockWaitMs: number): MigrationProvider => ({
  async getMigrations() {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
    const migrations: Record<string, Migration> = {};
    for (const file of files) {
      const { up }: Migration = await import(pathToFileURL(path.join(folder, file)).href);
      migrations[path.basename(file, '.ts')] = {
        async up(db) {
          await letStatementsTake(db, 0);
          await db.executeQuery(CompiledQuery.raw(`set local lock_timeout = ${lockWaitMs}`));
          await up(db);
        },
      };
    }
    return migrations;
  },
});

/** Why a schema could not be brought up to date, and what to do. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const step = UNKNOWN_STEP.exec(message)?.groups?.step;
  if (step === BEFORE_BASELINE) {
    return 'The database was made before the first release, by steps that are now one. Use an empty one (where npm start runs PostgreSQL: remove DATA_DIR/postgres), or keep the data as CHANGELOG.md says.';
  }
  if (step !== undefined) {
    return `The database was made by a newer version of Mogakgong: this one does not know ${step}. Run that version.`;
  }
  return `The database schema could not be brought up to date, and was left as it was: ${message}`;
}

/**
 * Brings the schema up to date; if several processes call it at once, one applies.
 * @throws when a migration fails, or when the schema is not one of this code; nothing is changed then.
 */
export async function migrate(
  database: Database,
  folder = MIGRATIONS_DIR,
  lockWaitMs = LOCK_WAIT_MS,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database,
    provider: readMigrations(folder, lockWaitMs),
    // Migrations from parallel branches arrive in another order than that of their numbers.
    allowUnorderedMigrations: true,
  });
  // Reports a faulty connection before anything about the schema.
  await database.executeQuery(CompiledQuery.raw('select 1'));
  for (let tries = 1; ; tries += 1) {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (!error) return results.map((result) => result.migrationName);
    if (isDatabaseUnavailable(error)) throw error;
    const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    if (!isLocked || tries === LOCK_TRIES) throw new Error(explain(error), { cause: error });
    await delay(lockWaitMs * Math.random());
  }
}
