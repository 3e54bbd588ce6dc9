import type { Jobs } from '../jobs/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Backplane } from './backplane.ts';

const ROUND_MS = 2_000;
/**
 * Rounds in which everything is compared once while events arrive: one look-up of each thing in 150
 * seconds, for losses that nobody reported.
 */
export const ROUNDS = 75;

interface LostEventsParts {
  readonly backplane: Backplane;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Whether the room or learner of this id is to be compared now. */
export type IsDue<Id extends number> = (id: Id) => boolean;

/** Something that a process keeps in memory by the id of a room or learner. */
interface Memory<Id extends number> {
  /** Of the job that compares it. */
  readonly name: string;
  /** The channel on which changes of it are published. */
  readonly channelOf: (id: Id) => string;
  readonly compare: (isDue: IsDue<Id>) => Promise<void>;
}

/**
 * Lets a feature compare what this process keeps in memory with the database, in case an event about it was
 * lost: a part of it in each round, and all of a channel while it is degraded and when an event was missed.
 */
export function compareInRounds<Id extends number>(
  { backplane, jobs, logger }: LostEventsParts,
  { name, channelOf, compare }: Memory<Id>,
): void {
  let round = 0;
  jobs.add({
    name,
    everyMs: ROUND_MS,
    runs: 'process',
    run: () => {
      round = (round + 1) % ROUNDS;
      const isWhole = backplane.state === 'whole';
      return compare(
        (id) => id % ROUNDS === round || (!isWhole && backplane.stateOf(channelOf(id)) !== 'whole'),
      );
    },
  });
  backplane.onMissed((isAffected) => {
    compare((id) => isAffected(channelOf(id))).catch((error: unknown) =>
      logger.error({ err: error, job: name }, 'could not compare with the database'),
    );
  });
}
