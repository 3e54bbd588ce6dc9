import type { Database } from '../database/index.ts';
import type { Logger } from '../logger/index.ts';
import { createSiteLease, RENEW_EVERY_MS } from './site-lease.ts';

interface Job {
  readonly name: string;
  readonly everyMs: number;
  /**
   * `process` for work on what this process holds; `site` for work on the whole database, which one
   * process does for all. Two may do it at the same moment when the work passes from one to another.
   */
  readonly runs: 'process' | 'site';
  readonly run: () => Promise<unknown>;
}

/** Work that is repeated while the process lives. */
export interface Jobs {
  /**
   * Plans a job: from `start` on it runs every so often, never twice at once; a failure is logged and
   * tried again next time.
   */
  add(job: Job): void;
  start(): void;
  /** Does one planned job now, whichever process does it for the site. */
  run(name: string): Promise<void>;
  /** No job starts any more; resolves when those under way are done. */
  stop(): Promise<void>;
}

interface JobsParts {
  readonly database: Database;
  readonly logger: Logger;
}

export function createJobs({ database, logger }: JobsParts): Jobs {
  const lease = createSiteLease(database);
  const planned: Job[] = [
    { name: 'lease', everyMs: RENEW_EVERY_MS, runs: 'process', run: () => lease.renew() },
  ];
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Map<string, Promise<unknown>>();

  function runUnlessUnderWay({ name, runs, run }: Job): void {
    if (underWay.has(name) || (runs === 'site' && !lease.isHeld)) return;
    const done = run()
      .catch((error: unknown) => logger.error({ err: error, job: name }, 'a job failed'))
      .finally(() => underWay.delete(name));
    underWay.set(name, done);
  }

  return {
    add: (job) => void planned.push(job),
    start() {
      for (const job of planned) {
        timers.add(setInterval(() => runUnlessUnderWay(job), job.everyMs).unref());
      }
    },
    async run(name) {
      const job = planned.find((candidate) => candidate.name === name);
      if (!job) throw new Error(`there is no job "${name}"`);
      await job.run();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay.values());
      if (!lease.isHeld) return;
      await lease
        .release()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'the lease of the jobs runs out by itself'),
        );
    },
  };
}
