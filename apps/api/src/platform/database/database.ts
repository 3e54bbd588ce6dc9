import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logger/index.ts';
import { createStatementPool } from './prepared-statements.ts';

/** The database, or a transaction in it. It names no table: queries are `sql` templates. */
export type Database = Kysely<object>;

/** A database with its pool. */
export type PooledDatabase = Database & {
  readonly connections: {
    readonly config: pg.ClientConfig;
    /** Replaces all connections by new ones; see `StatementPool`. */
    replaceAll(): void;
    /** The maximum number of connections; further ones in use are closed when they are released and idle. */
    most: number;
    /** The connections of the pool, and the queries that wait for one. */
    figures(): { readonly idle: number; readonly busy: number; readonly waiting: number };
  };
};

interface DatabaseOptions {
  /** Address and credentials of PostgreSQL. */
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
  /** Maximum number of connections. */
  readonly poolSize?: number;
  /** How long a query waits for an idle or a new connection. */
  readonly acquireTimeoutMs?: number;
  /** Time limit of a statement, and of a transaction's wait for its next one. */
  readonly statementTimeoutMs?: number;
  /** Called with the text of each answered query and its time in milliseconds. */
  readonly onQuery?: (sql: string, tookMs: number) => void;
}

const BIGINT_OID = 20;
const STATEMENT_TIMEOUT_MS = 10_000;
/** How long a query waits for a free connection at most. */
export const ACQUIRE_TIMEOUT_MS = 3_000;
/** A machine that vanishes closes nothing: keep-alive probes notice a connection to it within half a minute. */
export const LOST_SERVER_OPTIONS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Ids and counts are `bigint`; all of ours fit a number (`UserId` and `RoomId` are checked to). */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * Connecting includes the session's settings, and so does its time limit. Without a listener the loss of a
 * connection would end the process: of a new one, and of one between two statements of a transaction. There
 * the next statement fails, which is enough.
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

/**
 * Settings by which the server notices within four seconds that the machine of a process has vanished, and lets go of the
 * rows that a transaction of it has locked. A process that only stalls keeps them: its machine answers.
 */
export const LOST_CLIENT_SETTINGS = {
  tcp_keepalives_idle: 2,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 4_000,
} as const;

/** A statement that changes settings of a session, or of a transaction: PgBouncer refuses parameters of the connection. */
export function setSettings(
  scope: 'session' | 'transaction',
  settings: Readonly<Record<string, number>>,
): string {
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  const isLocal = scope === 'transaction';
  return `select set_config(name, value, ${isLocal}) from (values ${rows}) as setting (name, value)`;
}

/** Opens a pool of connections; the first query makes the first one. */
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
    ...LOST_SERVER_OPTIONS,
    application_name: 'mogakgong',
  };
  const settings = setSettings('session', {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    ...LOST_CLIENT_SETTINGS,
  });
  const pool = new pg.Pool({
    ...config,
    types,
    max: poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    Client: clientWith(settings, logger),
  });
  // An idle connection.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn({ err: error }, 'lost a database connection');
  });
  const statements = createStatementPool(pool, statementTimeoutMs);
  const database = new Kysely<object>({
    dialect: new PostgresDialect({ pool: statements }),
    ...(onQuery && {
      log: (event) => {
        if (event.level === 'query') onQuery(event.query.sql, event.queryDurationMillis);
      },
    }),
  });
  return Object.assign(database, {
    connections: {
      config,
      replaceAll: statements.replaceAll,
      get most() {
        return pool.options.max;
      },
      set most(most: number) {
        pool.options.max = most;
      },
      figures: () => ({
        idle: pool.idleCount,
        busy: pool.totalCount - pool.idleCount,
        waiting: pool.waitingCount,
      }),
    },
  });
}

/** The clock of the database's machine. */
export async function readDatabaseClock(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('the database has no clock');
  return row.now;
}
