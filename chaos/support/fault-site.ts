import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import {
  hasNetworkNamespaces,
  openVanishingPostgres,
  type VanishingPostgres,
} from '../../apps/api/test/network-namespace.ts';
import { launchApi } from '../../apps/stack/src/api-process.ts';
import { type ApiProcesses, startApiProcesses } from '../../apps/stack/src/api-processes.ts';
import { sendSignal } from '../../apps/stack/src/child-process/index.ts';
import { createLogger } from '../../apps/stack/src/logger.ts';
import { type MediaServer, startMediaServer } from '../../apps/stack/src/media-server/index.ts';
import { type PostgresServer, startPostgres } from '../../apps/stack/src/postgres-server/index.ts';
import { processTree } from '../../bench/support/processes.ts';
import { newSecret } from '../../bench/support/product.ts';
import { untilServing } from '../../test/connect-to-process.ts';
import { makeDataDir, removeDataDir } from '../../test/data-dir.ts';
import { freePort } from '../../test/free-port.ts';
import { findMediaServerBinary } from '../../test/media-server-binary.ts';
import { type RedisServer, startRedis } from '../../test/redis-server.ts';
import { apiPids, mediaPid, postgresPid } from '../../test/running-stack.ts';
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts';
import { type Loader, startLoader } from './load.ts';
import { PROCESSES, type SiteDatabase } from './site.ts';

/** How the API processes are to run. */
export interface ApiPlan {
  readonly processes: number;
  /** RATE_LIMIT_SCALE: 1 is what operators have. */
  readonly scale: number;
}

/** Files that one process of the site may have open: few enough to be held all. */
export const OPEN_FILES = 4_096;

/** Limits out of the way of one address that plays many learners. */
export const usualPlan: ApiPlan = { processes: PROCESSES, scale: 1_000 };

/** The parts of `npm start`, each within reach of a fault. */
export interface FaultSite {
  /** Of the API itself, and of a proxy in front of it that learners come through. */
  readonly port: number;
  readonly proxy: FlakyProxy;
  readonly secret: string;
  /** Past the proxy. */
  readonly database: SiteDatabase;
  /** How a superuser connects. */
  readonly superuser: PostgresServer['superuser'];
  /** Between the API and PostgreSQL. */
  readonly databaseProxy: FlakyProxy;
  /** Where the API reaches that. */
  readonly databaseAddress: Pick<VanishingPostgres, 'vanish' | 'return'>;
  readonly redis: RedisServer;
  readonly media: readonly MediaServer[];
  /** Has the open files that the site has not. */
  readonly loader: Loader;
  stopPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>;
  signalMedia(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>;
  /** Kills all API processes; resolves with how to wait until as many serve again. */
  killApis(): Promise<() => Promise<void>>;
  /** What `npm start` does at SIGHUP. */
  restartApis(): Promise<void>;
  /** Stops the API processes, and starts others. */
  runApis(plan: ApiPlan): Promise<void>;
  /** Ends everything, also what is frozen, without waiting for requests. Safe to call twice. */
  close(): Promise<void>;
}

export async function startFaultSite(): Promise<FaultSite> {
  await using started = new AsyncDisposableStack();
  const loader = startLoader();
  started.defer(() => loader.close());
  limitOpenFiles(OPEN_FILES);
  const hurry = new AbortController();
  const logger = createLogger(process.env.LOG_LEVEL ?? 'fatal');
  const dataDir = await makeDataDir();
  started.defer(() => removeDataDir(dataDir));
  // Also when the run is cut off.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const redis = await startRedis();
  started.defer(() => redis.close());
  let postgres = await startPostgres({ dataDir, logger });
  started.defer(() => postgres.stop());
  const { superuser, connection } = postgres;
  const socketName = `.s.PGSQL.${connection.port}`;
  const databaseProxy = await startFlakyProxy(
    path.join(connection.host, socketName),
    hasNetworkNamespaces ? path.join(dataDir, socketName) : undefined,
  );
  started.defer(() => databaseProxy.close());
  const databaseAddress = await openDatabaseAddress(dataDir, connection, databaseProxy);
  started.defer(() => databaseAddress.close());
  const port = await freePort();
  const media = await startMediaServer({
    binaryPath: findMediaServerBinary(),
    dataDir,
    webhookUrl: `http://127.0.0.1:${port}/livekit/webhook`,
    logger,
  });
  started.defer(() => media.stop());
  await media.tried;
  const stack = { url: `http://127.0.0.1:${port}`, port, dataDir };
  const secret = newSecret();
  const { user, password, host, port: databasePort, database } = databaseAddress.connection;
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `postgresql://${user}:${password}@${host}:${databasePort}/${database}`,
    REDIS_URL: redis.url,
    LIVEKIT_URL: media.url,
    LIVEKIT_API_KEY: media.apiKey,
    LIVEKIT_API_SECRET: media.apiSecret,
    LIVEKIT_TCP_PORTS: `${media.ports.livekitTcp}:${media.ports.tcp}`,
    AUTH_SECRET: secret,
    IMAGES_DIR: path.join(dataDir, 'images'),
    MAIL_OUTBOX_DIR: path.join(dataDir, 'outbox'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
  };
  let apis: ApiProcesses | undefined;
  started.defer(async () => {
    const stopped = apis?.stop();
    hurry.abort();
    await stopped;
  });
  const runApis = async ({ processes, scale }: ApiPlan) => {
    await apis?.stop();
    apis = await startApiProcesses({
      count: processes,
      launch: (stopping) =>
        launchApi(
          {
            env: { ...env, RATE_LIMIT_SCALE: String(scale) },
            pidFolder: path.join(dataDir, 'api'),
            isWatched: false,
            hurry: hurry.signal,
            logger,
          },
          stopping,
        ),
      sharesPort: true,
      logger,
    });
    await untilServing(stack, processes);
  };
  await runApis(usualPlan);
  const proxy = await startFlakyProxy(port);
  started.defer(() => proxy.close());
  const pool = new pg.Pool({ ...superuser, max: 1 });
  // Without a listener a connection that is lost while the server stops would end the run.
  pool.on('error', () => undefined);
  started.defer(() => pool.end());
  const closers = started.move();
  let closed: Promise<void> | undefined;
  return {
    port,
    proxy,
    secret,
    database: {
      url: postgres.url,
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    },
    superuser,
    databaseProxy,
    databaseAddress,
    redis,
    media: [media],
    loader,
    stopPostgres: () => postgres.stop(),
    async startPostgres() {
      // Nothing may start the former one again.
      await postgres.stop();
      postgres = await startPostgres({ dataDir, logger });
    },
    async signalPostgres(signal) {
      // One of a connection may have ended since it was listed.
      for (const pid of processTree(await postgresPid(stack))) sendSignal(pid, signal);
    },
    signalMedia: async (signal) => void process.kill(await mediaPid(stack), signal),
    async killApis() {
      const pids = await apiPids(stack);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      return async () => void (await untilServing(stack, pids.length, pids));
    },
    restartApis: async () => apis?.restart(),
    runApis,
    close() {
      for (const pid of processesBelow()) sendSignal(pid, 'SIGCONT');
      closed ??= closers.disposeAsync();
      return closed;
    },
  };
}

/** Where packets can be dropped, if this machine lets us; else only the proxy stops. */
async function openDatabaseAddress(
  dataDir: string,
  connection: PostgresServer['connection'],
  proxy: FlakyProxy,
): Promise<VanishingPostgres> {
  if (hasNetworkNamespaces) return openVanishingPostgres({ ...connection, host: dataDir });
  return {
    connection: { ...connection, host: '127.0.0.1', port: proxy.port },
    vanish: async () => proxy.freeze(),
    return: async () => proxy.thaw(),
    close: async () => undefined,
  };
}

/** Every process that this one has started, and those that they have. */
export const processesBelow = () => processTree(process.pid).filter((pid) => pid !== process.pid);

/**
 * Gives this process, and those that it starts from now on, so many open files at most. Node raises the
 * soft limit to the hard one, which cannot be raised again.
 */
function limitOpenFiles(most: number): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${most}:${most}`]);
}
