import path from 'node:path';
import { answerLive } from './answer-live.ts';
import { createApp } from './app.ts';
import {
  createInProcessBackplane,
  createRedisBackplane,
  refuseOtherThanStandalone,
  serverOf,
} from './platform/backplane/index.ts';
import { systemClock } from './platform/clock/index.ts';
import { createDatabase } from './platform/database/index.ts';
import { type Env, EnvError, readEnv } from './platform/env/index.ts';
import { createLimits } from './platform/limits/index.ts';
import { createLogger, type Logger } from './platform/logger/index.ts';
import { readSiteId } from './platform/site/index.ts';
import { noteStatement } from './platform/traces/index.ts';
import { upgradeDatabase } from './upgrade-database.ts';

/** A process ends within 10 s of its first signal; the last half second is for its exit. */
const STOP_DEADLINE_MS = 9_500;
const WEB_DIR = path.resolve(import.meta.dirname, '../../web/dist');

async function openDatabase(env: Env, logger: Logger, started: AsyncDisposableStack) {
  const connection = { connectionString: env.DATABASE_URL };
  const isTraced = env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const database = createDatabase({
    connection,
    logger,
    poolSize: env.DATABASE_POOL,
    ...(isTraced && { onQuery: noteStatement }),
  });
  started.defer(() => database.destroy());
  for (const change of await upgradeDatabase(env, database)) logger.info(change);
  return database;
}

async function start(env: Env, logger: Logger, started: AsyncDisposableStack): Promise<void> {
  if (env.RATE_LIMIT_SCALE !== 1)
    logger.warn({ scale: env.RATE_LIMIT_SCALE }, 'rate limits are scaled');

  const endLive = await answerLive(env);
  started.defer(endLive);
  // The library is not even loaded otherwise.
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    started.defer((await import('./platform/traces/start-traces.ts')).startTraces());
  }
  const database = await openDatabase(env, logger, started);
  const redis = env.REDIS_URL && { siteId: await readSiteId(database), logger };
  const urls = env.REDIS_URL ?? [];
  await refuseOtherThanStandalone(urls);
  const backplane = redis ? createRedisBackplane({ ...redis, urls }) : createInProcessBackplane();
  started.defer(() => backplane.close());
  const limits = createLimits({
    scale: env.RATE_LIMIT_SCALE,
    ...(redis && { redis: { ...redis, url: serverOf(urls, 'limits') } }),
  });
  started.defer(() => limits.close());
  // The library is not even loaded without a port.
  const monitoring =
    env.METRICS_PORT === undefined ? null : await import('./platform/metrics/index.ts');
  const metrics = monitoring?.createMetrics() ?? null;
  const app = await createApp({
    env,
    logger,
    metrics,
    clock: systemClock,
    database,
    backplane,
    limits,
    authSecrets: env.AUTH_SECRET,
    webDir: WEB_DIR,
  });
  started.defer(() => app.close());
  await app.runJob('clock');
  await endLive();
  await app.http.listen({ host: env.HOST, port: env.PORT });
  started.defer(() => app.drain());
  if (monitoring && metrics) {
    const at = { host: env.METRICS_HOST, port: env.METRICS_PORT ?? 0, logger };
    started.defer(await monitoring.serveMetrics(metrics, at));
  }
  app.startJobs();

  const bound = app.http.fastify.server.address();
  const port = typeof bound === 'object' && bound ? bound.port : env.PORT;
  const url = env.PUBLIC_URL ?? `http://localhost:${port}`;
  logger.info({ url }, 'ready');
  process.send?.({ type: 'ready', url });
}

/** Error codes of a failed connection to PostgreSQL, with their meaning. */
const NO_DATABASE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host name is not known',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'user or password is wrong',
  '28000': 'this user may not log in',
  '3D000': 'the database does not exist',
};

/** A failure of the start in one sentence that says what to do. */
function explain(error: unknown, env: Env | null): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const { port } = error as NodeJS.ErrnoException & { readonly port?: number };
    const name = port !== undefined && port === env?.METRICS_PORT ? 'METRICS_PORT' : 'PORT';
    return `Port ${port} is taken by another program. Stop it, or choose another: ${name}=${(port ?? 0) + 1} npm start`;
  }
  if (code === 'EACCES' && env !== null && env.PORT < 1024) {
    return `Port ${env.PORT} needs more rights than this user has. Choose one from 1024 up: PORT=3000 npm start`;
  }
  const why = NO_DATABASE[code ?? ''];
  if (why !== undefined) {
    return `The PostgreSQL of DATABASE_URL cannot be used: ${why}. Correct DATABASE_URL, or leave it out to have npm start run one.`;
  }
  return message;
}

async function main(): Promise<void> {
  let env: Env | null = null;
  let logger = createLogger('info');
  const started = new AsyncDisposableStack();
  const stopping = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  const stop = async (exitCode: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    // A server that is still starting can only be stopped once it runs: nothing may be left behind.
    await starting.catch(() => undefined);
    await started.disposeAsync().catch((error: unknown) => {
      logger.error({ err: error }, 'could not stop a part');
    });
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal means: do not wait for pending work.
      if (stopping.signal.aborted) process.exit(1);
      void stop(0);
    });
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error) => {
      logger.fatal({ err: error }, 'stopping after a fault that nobody handled');
      void stop(1);
    });
  }
  process.on('message', (message) => {
    // Our stack asks whether this process hangs; it may have ended when the answer comes.
    if (message === 'do you answer') process.send?.('here', undefined, undefined, () => undefined);
  });
  // The parent has ended. A worker of the stack then ends by itself; one under `node --watch` does not.
  if (process.channel) process.on('disconnect', () => void stop(0));

  try {
    env = readEnv();
    logger = createLogger(env.LOG_LEVEL);
    starting = start(env, logger, started);
    await starting;
  } catch (error) {
    if (stopping.signal.aborted) return;
    const text = error instanceof EnvError ? error.message : explain(error, env);
    if (!(error instanceof EnvError)) logger.debug({ err: error }, 'could not start');
    process.stderr.write(`${text}\n`);
    await stop(1);
  }
}

await main();
