import type { StackEnv } from './env.ts';
import type { Logger } from './logger.ts';
import { startPostgres } from './postgres-server/index.ts';

export interface StackDatabase {
  /** Variables with which the API connects; empty if DATABASE_URL names the operator's own database. */
  readonly env: { readonly DATABASE_URL?: string };
  stop(): Promise<void>;
}

/** The operator's own PostgreSQL, or the one of DATA_DIR, which is started or adopted. */
export async function provideDatabase(
  env: StackEnv,
  logger: Logger,
  signal: AbortSignal,
): Promise<StackDatabase> {
  if (env.has('DATABASE_URL')) return { env: {}, stop: async () => undefined };
  const postgres = await startPostgres({ dataDir: env.dataDir, logger, signal });
  return { env: { DATABASE_URL: postgres.url }, stop: postgres.stop };
}
