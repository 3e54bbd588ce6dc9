import pg from 'pg';
import { newSecret } from '../../bench/support/product.ts';
import { type RedisServer, startRedis } from '../../test/redis-server.ts';
import { databaseUrl, type Stack, startStack } from '../../test/running-stack.ts';
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts';

export const PROCESSES = 2;

export interface SiteDatabase {
  /** As DATABASE_URL takes it. */
  readonly url: string;
  /** Rows of one statement. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The product as `npm start` runs it, with two API processes on one port, connected by Redis. */
export interface Site {
  readonly stack: Stack;
  readonly database: SiteDatabase;
  /** AUTH_SECRET of all processes. */
  readonly secret: string;
  readonly redis: RedisServer;
  /** In front of the port. */
  readonly proxy: FlakyProxy;
  close(): Promise<void>;
}

/** Starts a site; what it logs is in `test-results/chaos.log`. */
export async function startSite(): Promise<Site> {
  await using started = new AsyncDisposableStack();
  const redis = await startRedis();
  started.defer(() => redis.close());
  const secret = newSecret();
  const stack = await startStack('chaos', {
    API_PROCESSES: String(PROCESSES),
    REDIS_URL: redis.url,
    AUTH_SECRET: secret,
    LOG_LEVEL: 'warn',
  });
  started.defer(stack.stop);
  const url = await databaseUrl(stack);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Without a listener a connection that is lost while the server is killed would end the run.
  pool.on('error', () => undefined);
  started.defer(() => pool.end());
  const proxy = await startFlakyProxy(stack.port);
  started.defer(() => proxy.close());
  const closers = started.move();
  return {
    stack,
    database: {
      url,
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    },
    secret,
    redis,
    proxy,
    close: () => closers.disposeAsync(),
  };
}
