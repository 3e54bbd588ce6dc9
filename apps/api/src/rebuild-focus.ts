import { rebuildRecords } from './features/focus/index.ts';
import { createDatabase } from './platform/database/index.ts';
import { readEnv } from './platform/env/index.ts';
import { createLogger } from './platform/logger/index.ts';
import { upgradeDatabase } from './upgrade-database.ts';

/**
 * `npm run rebuild:focus`: recounts visits, days and totals from the intervals, whether the product runs or
 * not.
 */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readEnv();
  const logger = createLogger(env.LOG_LEVEL);
  const connection = { connectionString: env.DATABASE_URL };
  const database = createDatabase({ connection, logger });
  closers.defer(() => database.destroy());
  await upgradeDatabase(env, database);
  const { learners, corrected } = await rebuildRecords(database);
  process.stdout.write(`${learners} learners recounted, ${corrected} rows corrected\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
