import path from 'node:path';
import { rebuildRecords } from './features/visits/index.ts';
import { createDatabase, migrate } from './platform/database/index.ts';
import { readEnv } from './platform/env/index.ts';
import { acquireInstanceLock } from './platform/instance-lock/index.ts';
import { createLogger } from './platform/logger/index.ts';
import { startPostgres } from './platform/postgres-server/index.ts';

/**
 * `npm run rebuild:focus`: counts visits, days and totals anew from the intervals. With DATABASE_URL
 * while the product runs; on the database in DATA_DIR while it does not.
 */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readEnv();
  const logger = createLogger(env.LOG_LEVEL);
  const { signal } = new AbortController();
  const dataDir = path.resolve(env.DATA_DIR);
  let connection: Parameters<typeof createDatabase>[0]['connection'];
  if (env.DATABASE_URL) {
    connection = { connectionString: env.DATABASE_URL };
  } else {
    const lock = await acquireInstanceLock({ dataDir, logger, signal });
    closers.defer(() => lock.release());
    const postgres = await startPostgres({ dataDir, logger, signal });
    closers.defer(() => postgres.stop());
    connection = postgres.connection;
  }
  const database = createDatabase({ connection, logger });
  closers.defer(() => database.destroy());
  await migrate(database);
  const { learners, corrected } = await rebuildRecords(database);
  process.stdout.write(`${learners} learners counted anew, ${corrected} rows corrected\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
