import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { BoundedClient, DatabaseTimeoutError } from './bounded-client.ts';

/** Texts that get a name; code that makes up ever new texts must not fill PostgreSQL's memory. */
const MAX_NAMES = 500;
const NAME_LENGTH = 32;
/** "cached plan must not change result type": a newer version has changed a table meanwhile. */
const FEATURE_NOT_SUPPORTED = '0A000';
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';
/** A pooler in between gave us a connection that has other statements than we prepared on it. */
const DUPLICATE_STATEMENT = '42P05';
const UNKNOWN_STATEMENT = '26000';
/** The session began while the database, or its server, took no changes. */
const READ_ONLY = '25006';
/** The errors of pg's pool when its `connectionTimeoutMillis` are over. */
const CONNECT_TIMEOUT = /^timeout exceeded when trying to connect$|due to connection timeout$/u;
/** The statement of `letStatementsTake`. */
const LONGER_TIMEOUT = /^set local statement_timeout = (\d+)$/u;
/** The answer to a statement that PostgreSQL gives up at its timeout needs time to arrive. */
const ANSWER_ARRIVES_WITHIN_MS = 2_000;
/** The time that a connection which is replaced has for the answer under way. */
const RETIRED_BOUND_MS = 2_000;

/** Whether a kept plan no longer fits its tables; the statement can be made again elsewhere. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code, routine } = error;
  if (code === FEATURE_NOT_SUPPORTED) return routine === STALE_PLAN_ROUTINE;
  return code === DUPLICATE_STATEMENT || code === UNKNOWN_STATEMENT;
}

const isReadOnly = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY;

/** Lets each statement of a transaction take so long, in ms; 0: as long as it needs. */
export async function letStatementsTake(
  transaction: Kysely<object>,
  timeoutMs: number,
): Promise<void> {
  await transaction.executeQuery(CompiledQuery.raw(`set local statement_timeout = ${timeoutMs}`));
}

/** Kysely's pool, whose connections can be replaced. */
export interface StatementPool extends PostgresPool {
  /**
   * Destroys idle connections, and those in use when they have not answered 2 s later or are given back:
   * what comes next is asked on new ones.
   */
  replaceAll(): void;
}

/**
 * A pool whose statements are planned once a connection, not once a call: each text with parameters
 * gets a name, by which PostgreSQL keeps its plan. Planning is most of what our statements cost.
 * The name is that of the text, whatever process asks: where processes share connections through a
 * pooler, it never means something else.
 * @param statementTimeoutMs after which PostgreSQL gives a statement up. When it does not even say that,
 *   the connection is destroyed.
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
        clients.get(client) ?? new PreparingClient(client, { nameOf, statementTimeoutMs });
      clients.set(client, known);
      known.isInUse = true;
      // Kysely's type is that of pg and of its cursors, which nobody opens here.
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
}

const boundFor = (statementTimeoutMs: number) =>
  statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_ARRIVES_WITHIN_MS;

class PreparingClient {
  isInUse = false;
  readonly #client: pg.PoolClient;
  readonly #bounded: BoundedClient;
  readonly #options: PreparingClientOptions;
  #isInTransaction = false;
  /** It holds what no longer fits, a plan or a setting: it is replaced when it is given back. */
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
    this.#client.release(isBroken || this.#isOutdated);
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
