import { MINUTE_MS } from '@mogakgong/contract';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import {
  LOST_CLIENT_SETTINGS,
  LOST_SERVER_OPTIONS,
  setSettings,
} from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const SLOW_STORAGE_MS = 10 * MINUTE_MS;

/** A connection of our own, beside any pool. */
export async function connect(env: Env): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    ...LOST_SERVER_OPTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'mogakgong backup',
  });
  // The statement that is under way fails, which is enough.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Lets statements of a transaction, and its pauses, take as long as they take, and the server notice if our machine
 * vanishes meanwhile: its locks would stop other backups, and upgrades.
 */
export async function liftTimeLimits(client: pg.Client): Promise<void> {
  await client.query(
    setSettings('transaction', {
      ...{ statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
      ...LOST_CLIENT_SETTINGS,
      // It also counts while we read nothing, because the storage is slow.
      tcp_user_timeout: SLOW_STORAGE_MS,
    }),
  );
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
