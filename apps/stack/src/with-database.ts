import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { provideDatabase } from './database.ts';
import { foldersOf, readStackEnv, type StackEnv } from './env.ts';
import { acquireInstanceLock, InstanceRunningError } from './instance-lock/index.ts';
import { createLogger } from './logger.ts';
import { runningPostgresUrl } from './postgres-server/index.ts';
import {
  keepNewestSecret,
  keepSecrets,
  provideAuthSecret,
  rotateAuthSecret,
} from './secret-file.ts';

const print = (text: string) => void process.stdout.write(`${text}\n`);

/**
 * DATABASE_URL of the operator, or of the database in DATA_DIR, which is started if the product does not run.
 */
async function databaseUrl(env: StackEnv, closers: AsyncDisposableStack) {
  if (env.has('DATABASE_URL')) return {};
  const logger = createLogger('warn');
  const { signal } = new AbortController();
  try {
    const lock = await acquireInstanceLock({ dataDir: env.dataDir, logger, signal });
    closers.defer(() => lock.release());
  } catch (error) {
    const isServing = error instanceof InstanceRunningError && error.record.status === 'running';
    if (!isServing) throw error;
    return { DATABASE_URL: await runningPostgresUrl(env.dataDir) };
  }
  const database = await provideDatabase(env, logger, signal);
  closers.defer(database.stop);
  return database.env;
}

/**
 * Runs a script of the API on the database of this clone: `node apps/stack/src/with-database.ts
 * SCRIPT`, whether the product runs or not. The file of secrets is changed here: the API does not know DATA_DIR.
 */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readStackEnv();
  const command = process.argv.slice(3).join(' ');
  if (command === 'secrets rotate') return print(await rotateAuthSecret(env));
  const database = await databaseUrl(env, closers);
  const script = spawn(process.execPath, process.argv.slice(2), {
    // It is no process of the site and needs no Redis.
    env: {
      ...process.env,
      ...database,
      ...(await provideAuthSecret(env)),
      ...foldersOf(env),
      REDIS_URL: '',
    },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // It ends by itself; then the database is stopped.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => script.kill(signal));
  // Those of a backup, from a restore.
  script.on('message', async (secrets: readonly string[]) =>
    script.send(await keepSecrets(env, secrets)),
  );
  const [code] = await once(script, 'exit');
  process.exitCode = code ?? 1;
  if (code === 0 && command === 'secrets prune') print(await keepNewestSecret(env));
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
