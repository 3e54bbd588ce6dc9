import { createDatabase } from '../src/platform/database/index.ts';
import { createJobs } from '../src/platform/jobs/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';

/**
 * A process with one job of the site that sends its parent a message when it is up and at each run. Its
 * argument is the URL of the database; SIGTERM stops its jobs.
 */
const logger = createLogger('error');
const connectionString = process.argv[2] ?? '';
const database = createDatabase({ connection: { connectionString }, logger });
const jobs = createJobs({ database, logger });
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
