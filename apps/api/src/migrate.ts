import { createDatabase } from './platform/database/index.ts';
import { readEnv } from './platform/env/index.ts';
import { createLogger } from './platform/logger/index.ts';
import { upgradeDatabase } from './upgrade-database.ts';

/** `npm run migrate`: brings the database up to date before the processes of a new version start. */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readEnv();
  const connection = { connectionString: env.DATABASE_URL };
  const database = createDatabase({ connection, logger: createLogger(env.LOG_LEVEL) });
  closers.defer(() => database.destroy());
  const changes = await upgradeDatabase(env, database);
  process.stdout.write(`${changes.join('\n') || 'The database was up to date.'}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
