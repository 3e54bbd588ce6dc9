import {
  createDatabase,
  type Database,
  migrate,
} from '../../apps/api/src/platform/database/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import { startPostgres } from '../../apps/stack/src/postgres-server/index.ts';
import { inRunDir } from './product.ts';

interface Connecting {
  /** Whether it connects as a superuser; else as the product does. */
  readonly isSuperuser?: boolean;
  readonly poolSize?: number;
  readonly acquireTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
}

/** Runs it on an empty database of its own, with our schema, that syncs every commit to disk. */
export function onDatabase<Result>(
  { isSuperuser = false, ...limits }: Connecting,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return inRunDir(async (dataDir) => {
    const logger = createLogger('warn');
    const postgres = await startPostgres({ dataDir, logger });
    const connection = isSuperuser ? postgres.superuser : postgres.connection;
    const database = createDatabase({ connection, logger, ...limits });
    try {
      await migrate(database);
      return await work(database);
    } finally {
      await database.destroy();
      await postgres.stop();
    }
  });
}
