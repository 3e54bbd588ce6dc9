import { ROUNDS } from '../src/platform/backplane/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createJobs } from '../src/platform/jobs/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';

/** Jobs that run only when a test calls them; they need no database. */
export const createUnstartedJobs = () =>
  createJobs({ database: {} as Database, logger: createLogger('silent') });

/** Runs a job that compares a part of the memory with the database in each round, until it has compared all. */
export async function compareAll(
  app: { runJob(name: string): Promise<void> },
  name: string,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await app.runJob(name);
}
