import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** Texts that get a name; code that makes up ever new texts must not fill PostgreSQL's memory. */
const MAX_NAMES = 500;
const NAME_LENGTH = 32;
/** "cached plan must not change result type": a newer version has changed a table meanwhile. */
const FEATURE_NOT_SUPPORTED = '0A000';
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';
/** A pooler in between gave us a connection that has other statements than we prepared on it. */
const DUPLICATE_STATEMENT = '42P05';
const UNKNOWN_STATEMENT = '26000';

/** Whether a kept plan no longer fits its tables; the statement can be made again elsewhere. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code, routine } = error;
  if (code === FEATURE_NOT_SUPPORTED) return routine === STALE_PLAN_ROUTINE;
  return code === DUPLICATE_STATEMENT || code === UNKNOWN_STATEMENT;
}

/**
 * A pool whose statements are planned once a connection, not once a call: each text with parameters
 * gets a name, by which PostgreSQL keeps its plan. Planning is most of what our statements cost.
 * The name is that of the text, whatever process asks: where processes share connections through a
 * pooler, it never means something else.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();

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
      const client = await pool.connect();
      const known = clients.get(client) ?? new PreparingClient(client, nameOf);
      clients.set(client, known);
      // Kysely's type is that of pg and of its cursors, which nobody opens here.
      return known as unknown as PostgresPoolClient;
    },
  };
}

class PreparingClient {
  readonly #client: pg.PoolClient;
  readonly #nameOf: (text: string) => string | undefined;
  #isInTransaction = false;
  /** It holds a plan that no longer fits: it is replaced when it is given back. */
  #isOutdated = false;

  constructor(client: pg.PoolClient, nameOf: (text: string) => string | undefined) {
    this.#client = client;
    this.#nameOf = nameOf;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = [...parameters];
    const name = values.length > 0 ? this.#nameOf(text) : undefined;
    if (name === undefined) return this.#queryUnnamed(text, values);
    try {
      return await this.#client.query({ name, text, values });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#isOutdated = true;
      // The error has rolled the transaction back: its caller restarts it.
      if (this.#isInTransaction) throw error;
      return this.#client.query(text, values);
    }
  }

  release(isBroken = false): void {
    this.#isInTransaction = false;
    this.#client.release(isBroken || this.#isOutdated);
  }

  #queryUnnamed(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (/^(?:begin|start transaction)\b/u.test(text)) this.#isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') this.#isInTransaction = false;
    return this.#client.query(text, values);
  }
}
