import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Many tests wait for PostgreSQL, other processes and time: a worker for each core leaves it idle. */
const maxWorkers = availableParallelism() + 1;

const DATABASE_FAULTS = 'apps/api/src/platform/database/database-faults.test.ts';

export default defineConfig({
  test: {
    maxWorkers,
    // `isolate: false`: the files of a worker share one process and its modules, which keep nothing between
    // tests; importing them for each file cost a quarter of the processor's time.
    projects: [
      {
        test: {
          name: 'packages',
          include: ['packages/**/*.test.ts'],
          isolate: false,
          setupFiles: './test/patient-waits.ts',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'api',
          include: ['apps/api/**/*.test.ts'],
          exclude: [DATABASE_FAULTS],
          isolate: false,
          globalSetup: './test/global-setup.ts',
          setupFiles: ['./test/patient-waits.ts', './apps/api/test/quick-hashes.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'outages',
          include: [DATABASE_FAULTS],
          globalSetup: './test/global-setup.ts',
          setupFiles: './apps/api/test/quick-hashes.ts',
          // After all others: it holds the product to seconds that other tests would take from it.
          sequence: { groupOrder: 1 },
          // All of its faults at once.
          maxConcurrency: 7,
        },
      },
      {
        test: {
          name: 'stack',
          include: ['apps/stack/**/*.test.ts'],
          setupFiles: './test/patient-waits.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.mjs'],
          setupFiles: './test/patient-waits.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        test: {
          name: 'web',
          environment: 'happy-dom',
          // A realm for each file in place of a process: half the time, and files still share nothing.
          // Not in threads, which hear each other's BroadcastChannel.
          server: { deps: { inline: [/@excalidraw/] } },
          pool: 'vmForks',
          // A project that extends a file has the default otherwise: one worker on two cores.
          maxWorkers,
          include: ['src/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
