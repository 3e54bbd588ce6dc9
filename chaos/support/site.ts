import {
  type Api,
  makeRunDir,
  newSecret,
  orStop,
  type RunDatabase,
  removeRunDir,
  startApi,
  startDatabase,
} from '../../bench/support/product.ts';
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts';
import { type RunRedis, startRedis } from './redis.ts';

/** The product as several processes on one database, each behind a proxy. */
export interface Site {
  readonly database: RunDatabase;
  readonly redis: RunRedis;
  readonly apis: readonly Api[];
  readonly proxies: readonly FlakyProxy[];
  /** AUTH_SECRET of all of them. */
  readonly secret: string;
  close(): Promise<void>;
}

/** Starts as many processes as asked for, connected by a Redis of their own. */
export async function startSite(processes: number): Promise<Site> {
  const runDir = await makeRunDir();
  const secret = newSecret();
  const database = await startDatabase(runDir);
  const redis = await orStop(database, startRedis(runDir));
  const apis: Api[] = [];
  const env = {
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    RATE_LIMIT_SCALE: '1000',
    // What the faults cause is expected; CHAOS_LOG_LEVEL=error shows it.
    LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'fatal',
    REDIS_URL: redis.url,
  };
  for (let index = 1; index <= processes; index += 1) {
    apis.push(await orStop(database, startApi({ runDir, name: `api-${index}`, env })));
  }
  const proxies = await Promise.all(apis.map(({ port }) => startFlakyProxy(port)));
  return {
    database,
    redis,
    apis,
    proxies,
    secret,
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await Promise.all(apis.map((api) => api.stop()));
      await redis.kill();
      await database.stop();
      await removeRunDir(runDir);
    },
  };
}
