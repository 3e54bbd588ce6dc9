import type { TestProject } from 'vitest/node';
import { createDatabase, migrate } from '../apps/api/src/platform/database/index.ts';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { type PostgresServer, startPostgres } from '../apps/stack/src/postgres-server/index.ts';
import { query } from './admin-query.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresServer['superuser'];
  }
}

/** The database that every test file's own is copied from. */
export const TEMPLATE_DATABASE = 'mogakgong_template';

/** Makes the database that those of tests are copied from. */
export async function createTemplate(connection: PostgresServer['superuser']): Promise<void> {
  await query(connection, `create database ${TEMPLATE_DATABASE}`);
  const template = createDatabase({
    connection: { ...connection, database: TEMPLATE_DATABASE },
    logger: createLogger('warn'),
  });
  await migrate(template);
  await template.destroy();
}

/**
 * One real PostgreSQL for the whole run and all of its projects, given up afterwards; only here may it skip
 * fsync. New databases and emptied tables are thousands of new files, which cost little in memory.
 */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject();
  if (root.getProvidedContext().postgres) return;
  const dataDir = await makeDataDir();
  const logger = createLogger('warn');
  const postgres = await startPostgres({ dataDir, logger, durable: false });
  await createTemplate(postgres.superuser);
  root.provide('postgres', postgres.superuser);
  return async () => {
    await postgres.stop();
    await removeDataDir(dataDir);
  };
}
