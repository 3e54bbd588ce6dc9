import { ROUNDS } from '../src/platform/backplane/index.ts';
import { createCheckedClock, systemClock } from '../src/platform/clock/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createJobs } from '../src/platform/jobs/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';

/** Jobs that run only when a test calls them; they need no database. */
export function createUnstartedJobs() {
  const logger = createLogger('silent');
  const readShared = async () => systemClock.now();
  const checkedClock = createCheckedClock({ clock: systemClock, readShared, logger });
  return createJobs({ database: {} as Database, checkedClock, logger });
}

/** Runs a job that compares a part of the memory with the database in each round, until it has compared all. */
export async function compareAll(
  app: { runJob(name: string): Promise<void> },
  name: string,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await app.runJob(name);
}
