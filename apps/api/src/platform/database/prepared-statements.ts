import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { BoundedClient, DatabaseTimeoutError } from './bounded-client.ts';

/** Number of texts with a name; code that generates ever new texts must not fill PostgreSQL's memory. */
const MAX_NAMES = 500;
const NAME_LENGTH = 32;
/** "cached plan must not change result type": a newer version has changed a table meanwhile. */
const FEATURE_NOT_SUPPORTED = '0A000';
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';
/** A pooler in between gave us a connection with other prepared statements than ours. */
const DUPLICATE_STATEMENT = '42P05';
const UNKNOWN_STATEMENT = '26000';
/** The session began while the database, or its server, was read-only. */
const READ_ONLY = '25006';
/** The errors of pg's pool after its `connectionTimeoutMillis`. */
const CONNECT_TIMEOUT = /^timeout exceeded when trying to connect$|due to connection timeout$/u;
/** The statement of `letStatementsTake`. */
const LONGER_TIMEOUT = /^set local statement_timeout = (\d+)$/u;
/** Time for the error of a statement that PostgreSQL cancels at its timeout to arrive. */
const ANSWER_ARRIVES_WITHIN_MS = 2_000;
/** Time for the pending answer of a connection that is being replaced. */
const RETIRED_BOUND_MS = 2_000;

/** Whether a kept plan no longer fits its tables; the statement can be repeated on another connection. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code, routine } = error;
  if (code === FEATURE_NOT_SUPPORTED) return routine === STALE_PLAN_ROUTINE;
  return code === DUPLICATE_STATEMENT || code === UNKNOWN_STATEMENT;
}

const isReadOnly = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY;

/** Sets the time limit of each statement of a transaction, in ms; 0: none. */
export async function letStatementsTake(
  transaction: Kysely<object>,
  timeoutMs: number,
): Promise<void> {
  await transaction.executeQuery(CompiledQuery.raw(`set local statement_timeout = ${timeoutMs}`));
}

/** Kysely's pool, with replaceable connections. */
export interface StatementPool extends PostgresPool {
  /**
   * Destroys idle connections; connections in use when they are released, or if they have not answered 2 s
   * later. Later queries use new ones.
   */
  replaceAll(): void;
}

/**
 * A pool whose statements are planned once per connection instead of once per call: each text with parameters
 * gets a name, under which PostgreSQL keeps its plan. Planning is most of the cost of our statements. The
 * name is derived from the text, so that it has the same meaning in all processes that share connections
 * through a pooler.
 * @param statementTimeoutMs after which PostgreSQL cancels a statement; without an answer even then, the
 *   connection is destroyed.
 */
export function createStatementPool(pool: pg.Pool, statementTimeoutMs: number): StatementPool {
  const names = new Map<string, string>();
  const clients = new Map<pg.PoolClient, PreparingClient>();
  pool.on('remove', (client) => clients.delete(client as pg.PoolClient));

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH);
    names.set(text, name);
    return name;
  }

  /** The maximum was lowered: a busy pool would pass the connection on to the next query. */
  const isUnwanted = () => pool.totalCount > pool.options.max;

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: Error) => {
        throw CONNECT_TIMEOUT.test(error.message)
          ? new DatabaseTimeoutError({ cause: error })
          : error;
      });
      const known =
        clients.get(client) ??
        new PreparingClient(client, { nameOf, statementTimeoutMs, isUnwanted });
      clients.set(client, known);
      known.isInUse = true;
      // Kysely's type includes pg's cursors, which nobody opens here.
      return known as unknown as PostgresPoolClient;
    },
    replaceAll() {
      for (const client of clients.values()) client.retire();
    },
  };
}

interface PreparingClientOptions {
  readonly nameOf: (text: string) => string | undefined;
  readonly statementTimeoutMs: number;
  /** Whether a connection that is released is one too many. */
  readonly isUnwanted: () => boolean;
}

const boundFor = (statementTimeoutMs: number) =>
  statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_ARRIVES_WITHIN_MS;

class PreparingClient {
  isInUse = false;
  readonly #client: pg.PoolClient;
  readonly #bounded: BoundedClient;
  readonly #options: PreparingClientOptions;
  #isInTransaction = false;
  /** A plan or a setting of the connection is outdated: it is replaced when it is released. */
  #isOutdated = false;
  #isRetired = false;

  constructor(client: pg.PoolClient, options: PreparingClientOptions) {
    this.#client = client;
    this.#bounded = new BoundedClient(client, boundFor(options.statementTimeoutMs));
    this.#options = options;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = [...parameters];
    const name = values.length > 0 ? this.#options.nameOf(text) : undefined;
    try {
      if (name === undefined) return await this.#queryUnnamed(text, values);
      return await this.#bounded.query({ name, text, values });
    } catch (error) {
      const isStale = name !== undefined && isStalePlan(error);
      if (isStale || isReadOnly(error)) this.#isOutdated = true;
      // In a transaction the error has rolled it back: its caller restarts it.
      if (!isStale || this.#isInTransaction) throw error;
      return this.#bounded.query({ text, values });
    }
  }

  release(isBroken = false): void {
    this.isInUse = false;
    this.#endTransaction();
    this.#client.release(isBroken || this.#isOutdated || this.#options.isUnwanted());
  }

  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#isOutdated = true;
    if (this.isInUse) this.#bounded.setBound(RETIRED_BOUND_MS);
    else this.#bounded.destroy();
  }

  async #queryUnnamed(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (/^(?:begin|start transaction)\b/u.test(text)) this.#isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') this.#endTransaction();
    const answer = await this.#bounded.query({ text, values });
    const [, timeoutMs] = LONGER_TIMEOUT.exec(text) ?? [];
    if (timeoutMs !== undefined) this.#setTimeout(Number(timeoutMs));
    return answer;
  }

  #endTransaction(): void {
    this.#isInTransaction = false;
    this.#setTimeout(this.#options.statementTimeoutMs);
  }

  #setTimeout(statementTimeoutMs: number): void {
    if (!this.#isRetired) this.#bounded.setBound(boundFor(statementTimeoutMs));
  }
}
