import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** Texts that get a name; code that makes up ever new texts must not fill PostgreSQL's memory. */
const MAX_NAMES = 500;
/** "cached plan must not change result type": a newer version has changed a table meanwhile. */
const FEATURE_NOT_SUPPORTED = '0A000';
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';

const isStalePlan = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  error.code === FEATURE_NOT_SUPPORTED &&
  error.routine === STALE_PLAN_ROUTINE;

/**
 * A pool whose statements are planned once a connection, not once a call: each text with parameters
 * gets a name, by which PostgreSQL keeps its plan. Planning is most of what our statements cost.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  /** Connections that hold plans of a schema that is no more: each is replaced when it is given back. */
  const outdated = new WeakSet<pg.PoolClient>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  }

  async function query(client: pg.PoolClient, text: string, parameters: readonly unknown[]) {
    const values = [...parameters];
    const name = values.length > 0 ? nameOf(text) : undefined;
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      outdated.add(client);
      return client.query(text, values);
    }
  }

  function prepare(client: pg.PoolClient): PostgresPoolClient {
    return {
      // Kysely's type is that of pg and of its cursors, which nobody opens here.
      query: ((text: string, parameters: readonly unknown[]) =>
        query(client, text, parameters)) as unknown as PostgresPoolClient['query'],
      release: (isBroken = false) => client.release(isBroken || outdated.has(client)),
    };
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepare(client);
      clients.set(client, known);
      return known;
    },
  };
}
