import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Env } from '../../platform/env/index.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** A connection of our own, beside any pool. */
export async function connect(env: Env): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'mogakgong backup',
  });
  // The statement that is under way fails, which is enough.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Lets statements of a transaction, and its pauses, take as long as they take: PgBouncer refuses settings of a session. */
export async function liftTimeLimits(client: pg.Client): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
}

/** Queries of features on a connection, beside ours. */
export const queriesOn = (client: pg.Client) =>
  new Kysely<object>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => Object.assign(client, { release: () => undefined }),
        end: async () => undefined,
      },
    }),
  });
