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

/** The common parts of every site. */
interface Ground {
  readonly database: RunDatabase;
  readonly runDir: string;
  /** AUTH_SECRET of all processes. */
  readonly secret: string;
  /** Starts a process of the product. */
  startApi(name: string, env?: Readonly<Record<string, string>>): Promise<Api>;
  /** Stops the database and removes every file; to be called when no process runs any more. */
  clear(): Promise<void>;
}

/** The product as several processes on one database, each behind a proxy. */
export interface Site extends Pick<Ground, 'database' | 'secret'> {
  readonly redis: RunRedis;
  readonly apis: readonly Api[];
  readonly proxies: readonly FlakyProxy[];
  close(): Promise<void>;
}

/** The product as one process on its database. */
export interface SingleSite extends Pick<Ground, 'database' | 'runDir' | 'secret'> {
  readonly api: Api;
  close(): Promise<void>;
}

async function prepareGround(): Promise<Ground> {
  const runDir = await makeRunDir();
  const secret = newSecret();
  const database = await startDatabase(runDir);
  const shared = {
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    RATE_LIMIT_SCALE: '1000',
    // What the faults cause is expected; CHAOS_LOG_LEVEL=error shows it.
    LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'fatal',
  };
  return {
    database,
    runDir,
    secret,
    startApi: (name, env = {}) =>
      orStop(database, startApi({ runDir, name, env: { ...shared, ...env } })),
    async clear() {
      await database.stop();
      await removeRunDir(runDir);
    },
  };
}

/** Starts one process. */
export async function startSingleSite(): Promise<SingleSite> {
  const { startApi: start, clear, ...site } = await prepareGround();
  const api = await start('api');
  return {
    ...site,
    api,
    async close() {
      await api.stop();
      await clear();
    },
  };
}

/** Starts as many processes as asked for, connected by a Redis of their own. */
export async function startSite(processes: number): Promise<Site> {
  const { startApi: start, clear, runDir, ...site } = await prepareGround();
  const redis = await orStop(site.database, startRedis(runDir));
  const apis: Api[] = [];
  for (let index = 1; index <= processes; index += 1) {
    apis.push(await start(`api-${index}`, { REDIS_URL: redis.url }));
  }
  const proxies = await Promise.all(apis.map(({ port }) => startFlakyProxy(port)));
  return {
    ...site,
    redis,
    apis,
    proxies,
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await Promise.all(apis.map((api) => api.stop()));
      await redis.kill();
      await clear();
    },
  };
}
