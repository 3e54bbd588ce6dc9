import { createCheckedClock } from '../src/platform/clock/index.ts';
import { createDatabase } from '../src/platform/database/index.ts';
import { createJobs } from '../src/platform/jobs/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';

/**
 * A process with one job of the site that sends its parent a message when it is up and at each run. Its
 * argument is the URL of the database; SIGTERM stops its jobs, and a message makes its clock jump by an hour.
 */
const logger = createLogger('error');
const connectionString = process.argv[2] ?? '';
const database = createDatabase({ connection: { connectionString }, logger });
let aheadMs = 0;
process.on('message', () => {
  aheadMs = 60 * 60_000;
});
const checkedClock = createCheckedClock({
  clock: { now: () => new Date(Date.now() + aheadMs) },
  readShared: async () => new Date(),
  logger: createLogger('silent'),
});
const jobs = createJobs({ database, checkedClock, logger: createLogger('silent') });
jobs.add({
  name: 'site job',
  everyMs: 100,
  runs: 'site',
  run: async () => process.send?.('ran'),
});
jobs.start();
process.send?.('up');
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void jobs.stop().then(() => process.exit(0)));
