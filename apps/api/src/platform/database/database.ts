import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logger/index.ts';
import { createStatementPool } from './prepared-statements.ts';

/**
 * The database without any table: each feature adds its own with `withTables<…>()`, so a feature
 * can only name the tables it declares or is given by an earlier feature.
 */
export type Database = Kysely<object>;

/** A database with what its connections are made of. */
export type PooledDatabase = Database & {
  readonly connections: {
    readonly config: pg.ClientConfig;
    /** New ones take the place of those of now; see `StatementPool`. */
    replaceAll(): void;
  };
};

interface DatabaseOptions {
  /** How to reach PostgreSQL. */
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
  /** Connections kept at most. */
  readonly poolSize?: number;
  /** How long a query waits for a connection, be it an idle or a new one. */
  readonly acquireTimeoutMs?: number;
  /** How long a statement may take, and how long a transaction may wait for its next one. */
  readonly statementTimeoutMs?: number;
  /** Called with the name and text of each query that was sent; tests count them. */
  readonly onQuery?: (sql: string) => void;
}

const BIGINT_OID = 20;
const STATEMENT_TIMEOUT_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 3_000;
/** A machine that vanishes closes nothing: an idle connection to it is noticed by its probes. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Ids and counts are `bigint`; all of ours fit a number (`UserId` and `RoomId` are checked to). */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * Its session's settings are part of connecting, and so of the bound on that. Without a listener the loss of
 * a connection would end the process: of a new one, and of one that is between two statements of a
 * transaction. There the next statement fails, which says enough.
 */
function clientWith(settings: string, logger: Logger): new () => pg.ClientBase {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('error', (error) => logger.debug({ err: error }, 'a database connection broke'));
    }

    override connect(): Promise<pg.Client>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.Client> {
      const connecting = super.connect().then(async () => {
        await this.query(settings);
        return this;
      });
      if (connected) connecting.then((client) => connected(null, client), connected);
      return connecting;
    }
  };
}

/** Set by a statement, because PgBouncer refuses to connect with them as parameters of the start. */
const timeoutSettings = (timeoutMs: number) => `
  select set_config(name, '${timeoutMs}', false)
  from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`;

/** Opens a pool of connections; none is made before the first query. */
export function createDatabase({
  connection,
  logger,
  poolSize = 10,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  onQuery,
}: DatabaseOptions): PooledDatabase {
  const config = {
    ...connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'mogakgong',
  };
  const pool = new pg.Pool({
    ...config,
    types,
    max: poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    Client: clientWith(timeoutSettings(statementTimeoutMs), logger),
  });
  // Of an idle connection.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn({ err: error }, 'lost a database connection');
  });
  const statements = createStatementPool(pool, statementTimeoutMs);
  const database = new Kysely<object>({
    dialect: new PostgresDialect({ pool: statements }),
    ...(onQuery && {
      log: (event) => {
        if (event.level === 'query') onQuery(event.query.sql);
      },
    }),
  });
  return Object.assign(database, { connections: { config, replaceAll: statements.replaceAll } });
}

/** What the clock of the database's machine shows. */
export async function readDatabaseClock(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('the database has no clock');
  return row.now;
}
