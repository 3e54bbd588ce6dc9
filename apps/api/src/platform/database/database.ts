import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logger/index.ts';
import { isStalePlan, withPreparedStatements } from './prepared-statements.ts';

/**
 * The database without any table: each feature adds its own with `withTables<…>()`, so a feature
 * can only name the tables it declares or is given by an earlier feature.
 */
export type Database = Kysely<object>;

interface DatabaseOptions {
  /** How to reach PostgreSQL. */
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
  /** Connections kept at most. */
  readonly poolSize?: number;
  /** How long a query waits for a connection. */
  readonly acquireTimeoutMs?: number;
  /** How long a statement may take, and how long a transaction may wait for its next one. */
  readonly statementTimeoutMs?: number;
  /** Called with the name and text of each query that was sent; tests count them. */
  readonly onQuery?: (sql: string) => void;
}

const BIGINT_OID = 20;
const STATEMENT_TIMEOUT_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 5_000;
/** A machine that vanishes closes nothing: an idle connection to it is noticed by its probes. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Ids and counts are `bigint`; all of ours fit a number (`UserId` and `RoomId` are checked to). */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Opens a pool of connections; none is made before the first query. */
export function createDatabase({
  connection,
  logger,
  poolSize = 10,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  onQuery,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'mogakgong',
    // Set here, because PgBouncer refuses to connect with them as parameters of the start.
    onConnect: (client) =>
      client.query(
        `select set_config(name, '${statementTimeoutMs}', false)
         from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`,
      ),
  });
  // Without listeners the loss of a connection would end the process: of an idle one, and of one that
  // is between two statements of a transaction. There the next statement fails, which says enough.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn({ err: error }, 'lost a database connection');
  });
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'a database connection broke'));
  });
  return new Kysely<object>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
    ...(onQuery && {
      log: (event) => {
        if (event.level === 'query') onQuery(event.query.sql);
      },
    }),
  });
}

/** Whether the database answers; never throws. */
export async function isDatabaseUp(database: Database): Promise<boolean> {
  try {
    await database.executeQuery(CompiledQuery.raw('select 1'));
    return true;
  } catch {
    return false;
  }
}

/** What the clock of the database's machine shows. */
export async function readDatabaseClock(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('the database has no clock');
  return row.now;
}

const UNIQUE_VIOLATION = '23505';

/** The name of the unique constraint or index that an insert broke, or null for any other error. */
export function brokenUniqueName(error: unknown): string | null {
  const isUnique = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
  return isUnique ? (error.constraint ?? null) : null;
}

/** Deadlock, and serialization failure: PostgreSQL undid the work because of somebody else's. */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);

const isConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (CONFLICTS.has(error.code) || isStalePlan(error));

/** The other one, who was let through, needs a moment to take what it waited for. */
const RETRY_CONFLICT_AFTER_MS = 50;

/**
 * Does a statement or transaction again if it was undone because others stood in its way: by their
 * locks, or by changing a table. Twice in all unless `tries` says otherwise.
 */
export async function retryConflict<Result>(
  work: () => Promise<Result>,
  tries = 2,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (tries === 1 || !isConflict(error)) throw error;
    await delay(RETRY_CONFLICT_AFTER_MS * (0.5 + Math.random()));
    return retryConflict(work, tries - 1);
  }
}

/** Class 57P: the server is stopping, or an administrator has ended the connection. */
const STOPPED_BY_SERVER = /^57P0[1-3]$/u;

/**
 * Whether a statement failed because its connection broke: it may or may not have been carried out,
 * so only what is the same done twice may be done again.
 */
function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STOPPED_BY_SERVER.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  // What pg says has no code.
  const isBroken = /^Connection terminated|^Client .* not queryable$/u.test(error.message);
  return isBroken || 'syscall' in error;
}

/** Connections often break together: by then it is known of which. */
const RETRY_LOST_AFTER_MS = 50;

/**
 * Runs work that is the same done twice, up to three times in all: again when its connection broke
 * before the answer had come, and at once when it failed in another way that a second try settles.
 */
export async function retryLost<Result>(
  work: () => Promise<Result>,
  isToBeRepeated: (error: unknown) => boolean = () => false,
  tries = 3,
): Promise<Result> {
  try {
    return await retryConflict(work);
  } catch (error) {
    const isLost = isConnectionLost(error);
    if (tries === 1 || !(isLost || isToBeRepeated(error))) throw error;
    if (isLost) await delay(RETRY_LOST_AFTER_MS);
    return retryLost(work, isToBeRepeated, tries - 1);
  }
}

/**
 * SQLSTATE classes 08 (connection) and 53 (resources: connections, memory, disk), a statement or a
 * transaction that took too long, and 57P: the server stops or starts.
 */
const UNAVAILABLE = /^(?:08|53)|^57014$|^25P03$|^57P0/u;

/** Whether work failed for a reason that is the database's: it may be tried again later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  const isPoolExhausted =
    error instanceof Error && error.message === 'timeout exceeded when trying to connect';
  return isPoolExhausted || isConnectionLost(error);
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether an insert named a row that does not exist. */
export function isForeignKeyBroken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION;
}
