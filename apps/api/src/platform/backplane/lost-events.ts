import type { Jobs } from '../jobs/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Backplane } from './backplane.ts';

const ROUND_MS = 2_000;
/**
 * Rounds in which everything is compared once while events arrive: one look-up of each thing in two minutes,
 * for losses that nobody reported.
 */
export const ROUNDS = 60;

interface LostEventsParts {
  readonly backplane: Backplane;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Whether the room or learner of this id is to be compared now. */
export type IsDue = (id: number) => boolean;

/**
 * Lets a feature compare what this process keeps in memory with the database, in case an event about it was
 * lost: a part of it in each round, all of it while the backplane is degraded and when one was missed.
 */
export function compareInRounds(
  { backplane, jobs, logger }: LostEventsParts,
  name: string,
  compare: (isDue: IsDue) => Promise<void>,
): void {
  let round = 0;
  jobs.add({
    name,
    everyMs: ROUND_MS,
    runs: 'process',
    run: () => {
      round = (round + 1) % ROUNDS;
      const isDue = (id: number) => id % ROUNDS === round || backplane.state !== 'whole';
      return compare(isDue);
    },
  });
  backplane.onMissed(() => {
    compare(() => true).catch((error: unknown) =>
      logger.error({ err: error, job: name }, 'could not compare with the database'),
    );
  });
}
