import type { Logger } from '../logger/index.ts';

interface Job {
  readonly name: string;
  readonly everyMs: number;
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
  /** Does one planned job now. */
  run(name: string): Promise<void>;
  /** No job starts any more; resolves when those under way are done. */
  stop(): Promise<void>;
}

export function createJobs(logger: Logger): Jobs {
  const planned: Job[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  const running = new Set<string>();

  async function runOnce({ name, run }: Job): Promise<void> {
    if (running.has(name)) return;
    running.add(name);
    try {
      await run();
    } catch (error) {
      logger.error({ err: error, job: name }, 'a job failed');
    } finally {
      running.delete(name);
    }
  }

  return {
    add: (job) => void planned.push(job),
    start() {
      for (const job of planned) {
        const timer = setInterval(() => {
          const run = runOnce(job).finally(() => underWay.delete(run));
          underWay.add(run);
        }, job.everyMs);
        timer.unref();
        timers.add(timer);
      }
    },
    async run(name) {
      const job = planned.find((candidate) => candidate.name === name);
      if (!job) throw new Error(`there is no job "${name}"`);
      await job.run();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
