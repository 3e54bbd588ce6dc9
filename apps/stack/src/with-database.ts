import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { provideDatabase } from './database.ts';
import { readStackEnv } from './env.ts';
import { acquireInstanceLock } from './instance-lock/index.ts';
import { createLogger } from './logger.ts';
import { provideAuthSecret } from './secret-file.ts';

/**
 * Runs a script of the API on the database of this clone: `node apps/stack/src/with-database.ts
 * SCRIPT`. On the one in DATA_DIR while the product is stopped, with DATABASE_URL at any time.
 */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readStackEnv();
  const logger = createLogger('warn');
  const { signal } = new AbortController();
  if (!env.has('DATABASE_URL')) {
    const lock = await acquireInstanceLock({ dataDir: env.dataDir, logger, signal });
    closers.defer(() => lock.release());
  }
  const database = await provideDatabase(env, logger, signal);
  closers.defer(database.stop);
  const script = spawn(process.execPath, process.argv.slice(2), {
    // It is no process of the site: it needs no Redis.
    env: { ...process.env, ...database.env, ...(await provideAuthSecret(env)), REDIS_URL: '' },
    stdio: 'inherit',
  });
  const [code] = await once(script, 'exit');
  process.exitCode = code ?? 1;
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
