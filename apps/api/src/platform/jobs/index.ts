import type { CheckedClock } from '../clock/index.ts';
import type { Database } from '../database/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { inSpan } from '../traces/index.ts';
import { createSiteLease, RENEW_EVERY_MS } from './site-lease.ts';

interface Job {
  readonly name: string;
  readonly everyMs: number;
  /**
   * `process` for work on this process's own state; `site` for work on the whole database, done by one
   * process for all. Two may run it at the same moment when the lease passes from one to another. It may delete by the
   * clock: a process whose clock is wrong leaves it to others (decision 019).
   */
  readonly runs: 'process' | 'site';
  readonly run: () => Promise<unknown>;
}

/** Repeated work of the process. */
export interface Jobs {
  /**
   * Plans jobs: from `start` on each runs at its interval, never twice at once; a failure is logged and the
   * job runs again next time.
   */
  add(...jobs: readonly Job[]): void;
  start(): void;
  /** Whether this process runs the jobs of the site at this moment. */
  readonly isLeaseHeld: boolean;
  /** The names of the planned jobs of the site. */
  ofSite(): string[];
  /** Runs one planned job now, in this process. */
  run(name: string): Promise<void>;
  /** Starts no more jobs; resolves when the running ones are done. */
  stop(): Promise<void>;
}

interface JobsParts {
  readonly database: Database;
  readonly checkedClock: CheckedClock;
  readonly logger: Logger;
  readonly metrics?: Metrics | null;
}

export function createJobs({ database, checkedClock, logger, metrics }: JobsParts): Jobs {
  const lease = createSiteLease(database);
  const renew = () => (checkedClock.isRight ? lease.renew() : lease.release());
  const planned: Job[] = [{ name: 'lease', everyMs: RENEW_EVERY_MS, runs: 'process', run: renew }];
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Map<string, Promise<unknown>>();

  async function work({ runs, run }: Job): Promise<void> {
    if (runs === 'site') {
      // The clock may have jumped since it was compared.
      await checkedClock.check();
      checkedClock.now();
    }
    await run();
  }

  function runUnlessUnderWay(job: Job): void {
    const { name, runs } = job;
    if (underWay.has(name) || (runs === 'site' && !lease.isHeld)) return;
    const startMs = performance.now();
    const done = inSpan('job', { 'job.name': name }, () => work(job))
      .then(() => metrics?.jobLastSuccess.set({ job_name: name }, Date.now() / 1_000))
      .catch((error: unknown) => {
        logger.error({ err: error, job: name }, 'a job failed');
        metrics?.jobFailures.inc({ job_name: name });
      })
      .finally(() => {
        underWay.delete(name);
        metrics?.jobSeconds.set({ job_name: name }, (performance.now() - startMs) / 1_000);
      });
    underWay.set(name, done);
  }

  return {
    add: (...jobs) => void planned.push(...jobs),
    start() {
      for (const job of planned) {
        metrics?.jobInterval.set({ job_name: job.name }, job.everyMs / 1_000);
        metrics?.jobFailures.inc({ job_name: job.name }, 0);
        timers.add(setInterval(() => runUnlessUnderWay(job), job.everyMs).unref());
      }
    },
    get isLeaseHeld() {
      return lease.isHeld;
    },
    ofSite: () => planned.filter(({ runs }) => runs === 'site').map(({ name }) => name),
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
