import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { endLeftOverApis, launchApi } from './api-process.ts';
import { type ApiProcesses, startApiProcesses } from './api-processes.ts';
import { provideDatabase } from './database.ts';
import { foldersOf, type StackEnv } from './env.ts';
import { acquireInstanceLock } from './instance-lock/index.ts';
import type { Logger } from './logger.ts';
import { startMediaServer } from './media-server/index.ts';
import { type AuthSecretEnv, provideAuthSecret, stepsToSecrets } from './secret-file.ts';
import { provideSocialLogins } from './social-logins.ts';

export interface StackOptions {
  readonly env: StackEnv;
  readonly logger: Logger;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Ends API processes without waiting for pending requests. */
  readonly hurry: AbortSignal;
  /** Restarts the API whenever one of its files is saved. */
  readonly isWatched: boolean;
  /** Collects everything to stop, in reverse order, also if the start fails half-way. */
  readonly started: AsyncDisposableStack;
}

/** Address of the product. */
export interface Stack {
  readonly url: string;
  /** Replaces the API processes one by one. */
  readonly restart: () => void;
}

/** Starts database, media server and API; resolves when the product is served. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, logger, signal, hurry, started, isWatched } = options;
  const { dataDir } = env;
  const lock = await acquireInstanceLock({ dataDir, logger, signal });
  started.defer(() => lock.release());
  const pidFolder = path.join(dataDir, 'api');
  await endLeftOverApis(pidFolder, logger);
  const port = await findPort(env);
  // It starts in parallel to the database.
  const media = await provideMedia(options, port);
  const database = await provideDatabase(env, logger, signal);
  started.defer(database.stop);
  const apiEnv = {
    ...process.env,
    ...database.env,
    ...(await media()),
    ...foldersOf(env),
    ...(await provideSocialLogins(options)),
    ...(isWatched && !env.has('DEV_PAGES') && { DEV_PAGES: 'true' }),
    PORT: String(port),
  };
  const secrets = { present: await provideAuthSecret(env) };
  const apis = await startApiProcesses({
    count: env.apiProcesses,
    launch: (stopping, index) => {
      const ownEnv = { ...apiEnv, ...secrets.present, ...env.metricsOf(index) };
      return launchApi({ env: ownEnv, pidFolder, isWatched, hurry, logger }, stopping);
    },
    sharesPort: !isWatched,
    logger,
  });
  started.defer(apis.stop);
  started.defer(() => lock.announceStopping());
  const url = env.publicUrl ?? `http://localhost:${port}`;
  await lock.announceRunning(url);
  return { url, restart: createRestart(options, apis, secrets) };
}

/** Restarts the API with the secrets that DATA_DIR has then; one restart after the other. */
function createRestart(
  { env, logger }: StackOptions,
  apis: ApiProcesses,
  secrets: { present: AuthSecretEnv },
): () => void {
  const restart = async () => {
    for (const step of stepsToSecrets(secrets.present, await provideAuthSecret(env))) {
      secrets.present = step;
      await apis.restart();
    }
  };
  let last = Promise.resolve();
  return () => {
    last = last
      .then(restart)
      .catch((error: unknown) => logger.error({ err: error }, 'The API was not restarted'));
  };
}

/** The port to serve on; for 0 a free one. */
async function findPort({ host, port }: StackEnv): Promise<number> {
  const probe = createServer().listen({ host, port, exclusive: true });
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * Starts our media server and returns the variables with which the API reaches it. None for the operator's
 * own media server.
 */
async function provideMedia(
  options: StackOptions,
  port: number,
): Promise<() => Promise<NodeJS.ProcessEnv>> {
  const { env, logger, started } = options;
  const binaryPath = env.mediaServerBinary;
  if (env.has('LIVEKIT_URL') || binaryPath === undefined) {
    return async () => ({});
  }
  const server = await startMediaServer({
    binaryPath,
    dataDir: env.dataDir,
    webhookUrl: webhookUrl(env.host, port),
    reach: { address: env.mediaAddress, turn: env.turn },
    logger,
  });
  started.defer(() => server.stop());
  return async () => {
    await server.tried;
    return {
      LIVEKIT_URL: server.url,
      LIVEKIT_API_KEY: server.apiKey,
      LIVEKIT_API_SECRET: server.apiSecret,
      LIVEKIT_TCP_PORTS: `${server.ports.livekitTcp}:${server.ports.tcp}`,
    };
  };
}

/** Address at which the media server on this machine reports to the API. */
function webhookUrl(host: string, port: number): string {
  const url = new URL(`http://127.0.0.1:${port}/livekit/webhook`);
  const listensEverywhere = host === '0.0.0.0' || host === '::';
  if (!listensEverywhere) url.hostname = host.includes(':') ? `[${host}]` : host;
  return url.href;
}
