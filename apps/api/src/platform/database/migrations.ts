import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
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
/** A step waited for a table, or this process for another one that applies steps. */
const WAITED_IN_VAIN: ReadonlySet<string | undefined> = new Set(['55P03', '57014']);

/** The first step of databases that were made before `001-baseline` took the place of all steps. */
const BEFORE_BASELINE = '001-accounts';
/** Kysely's error about a step that this code does not have. */
const UNKNOWN_STEP = /previously executed migration (?<step>\S+) is missing/u;

/** A step of the schema, forward only; each in a file `NNN-name.ts`. */
export interface Step {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * Processes of releases without this step cannot run on the schema after it. Any other step only adds to the
   * schema, so that they can serve, and start again, while the processes of a site are replaced.
   */
  readonly isBreaking?: boolean;
}

async function readSteps(folder: string): Promise<ReadonlyMap<string, Step>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  const steps = files.map(async (file) => {
    const step: Step = await import(pathToFileURL(path.join(folder, file)).href);
    return [path.basename(file, '.ts'), step] as const;
  });
  return new Map(await Promise.all(steps));
}

/**
 * The steps as Kysely applies them, in one transaction. One that changes every row of a large table takes longer
 * than other statements may.
 */
const toMigration = (name: string, step: Step, lockWaitMs: number): Migration => ({
  async up(db) {
    await letStatementsTake(db, 0);
    await db.executeQuery(CompiledQuery.raw(`set local lock_timeout = ${lockWaitMs}`));
    await step.up(db);
    if (step.isBreaking) await sql`insert into breaking_step (name) values (${name})`.execute(db);
  },
});

/**
 * The applied steps of a newer release that this one can run with.
 * @throws when one of them is breaking.
 */
async function findNewerSteps(database: Database, known: Iterable<string>): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('breaking_step') is not null as exists`.execute(database);
  if (!tables[0]?.exists) return [];
  const { rows } = await sql<{ name: string; isBreaking: boolean }>`
    select name, breaking_step.name is not null as "isBreaking"
    from kysely_migration left join breaking_step using (name)
    where name <> all(${[...known]}::text[]) order by name`.execute(database);
  const breaking = rows.find(({ isBreaking }) => isBreaking);
  if (breaking) throw new Error(madeByNewer(breaking.name));
  return rows.map(({ name }) => name);
}

const NOT_APPLIED_HERE: Migration = {
  up: () => Promise.reject(new Error('a step of a newer release is not applied')),
};

const madeByNewer = (step: string) =>
  `The database was made by a newer version of Mogakgong: this one does not know ${step}. Run that version.`;

/** Why a schema could not be brought up to date, and what to do. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const step = UNKNOWN_STEP.exec(message)?.groups?.step;
  if (step === BEFORE_BASELINE) {
    return 'The database was made before the first release, by steps that are now one. Use an empty one (where npm start runs PostgreSQL: remove DATA_DIR/postgres), or keep the data as CHANGELOG.md says.';
  }
  if (step !== undefined) return madeByNewer(step);
  return `The database schema could not be brought up to date, and was left as it was: ${message}. The version that ran before can be started again.`;
}

/** The names of all steps of this release. */
export const knownSteps = async (): Promise<string[]> => [
  ...(await readSteps(MIGRATIONS_DIR)).keys(),
];

/**
 * Applies the named steps, or all, in a transaction of the caller.
 * @throws Error when a step fails.
 */
export async function applySteps(
  transaction: Transaction<object>,
  names?: readonly string[],
): Promise<void> {
  const steps = [...(await readSteps(MIGRATIONS_DIR))]
    .filter(([name]) => names?.includes(name) ?? true)
    .map(([name, step]) => [name, toMigration(name, step, LOCK_WAIT_MS)] as const);
  const migrator = new Migrator({
    db: transaction,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error(explain(error), { cause: error });
}

/**
 * The names of all tables, sequences and functions that any step makes, also those that a later one removes: by applying
 * the steps in a schema of their own, which is rolled back.
 */
export async function namesOfSteps(database: Database): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const transaction = await database.startTransaction().execute();
  try {
    await sql`create schema steps_of_mogakgong`.execute(transaction);
    await sql`set local search_path = steps_of_mogakgong`.execute(transaction);
    for (const step of (await readSteps(MIGRATIONS_DIR)).values()) {
      await step.up(transaction);
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relnamespace = current_schema()::regnamespace
        union all
        select proname from pg_proc where pronamespace = current_schema()::regnamespace`.execute(
        transaction,
      );
      for (const { name } of rows) names.add(name);
    }
  } finally {
    await transaction.rollback().execute();
  }
  return names;
}

/**
 * Brings the schema up to date; if several processes call it at once, one applies. The schema of a newer release is
 * left as it is, if it only adds to that of this one.
 * @returns the names of the steps that it applied.
 * @throws when a step fails, or when the schema is not one that this code can use; nothing is changed then.
 */
export async function migrate(
  database: Database,
  folder = MIGRATIONS_DIR,
  lockWaitMs = LOCK_WAIT_MS,
): Promise<readonly string[]> {
  const steps = await readSteps(folder);
  const own = [...steps].map(
    ([name, step]) => [name, toMigration(name, step, lockWaitMs)] as const,
  );
  for (let tries = 1; ; tries += 1) {
    const newer = await findNewerSteps(database, steps.keys());
    const migrations = Object.fromEntries([
      ...own,
      ...newer.map((name) => [name, NOT_APPLIED_HERE] as const),
    ]);
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: async () => migrations },
      // Migrations from parallel branches arrive in another order than that of their numbers.
      allowUnorderedMigrations: true,
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (!error) return results.map((result) => result.migrationName);
    const hasWaited = error instanceof pg.DatabaseError && WAITED_IN_VAIN.has(error.code);
    if (hasWaited && tries < LOCK_TRIES) {
      await delay(lockWaitMs * Math.random());
      continue;
    }
    if (isDatabaseUnavailable(error)) throw error;
    // Another process may have applied newer steps since they were looked up.
    const hasNewer = (await findNewerSteps(database, steps.keys())).length > newer.length;
    const isBehind = UNKNOWN_STEP.test(String(error)) && hasNewer;
    if (!isBehind) throw new Error(explain(error), { cause: error });
  }
}
