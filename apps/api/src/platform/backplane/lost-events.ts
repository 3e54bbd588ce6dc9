import { sql } from 'kysely';
import type { Database } from '../database/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Backplane } from './backplane.ts';

const ROUND_MS = 2_000;
/**
 * Rounds in which everything is compared once while events arrive: one look-up of each thing in three
 * minutes, for losses that nobody reported.
 */
export const ROUNDS = 90;

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
 * lost: a part of it in each round; all of a channel while it is degraded and when an event was missed; everything
 * while the backplane is uncertain.
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
      const mayMiss = (id: Id) =>
        backplane.isUncertain || (!isWhole && backplane.stateOf(channelOf(id)) !== 'whole');
      return compare((id) => id % ROUNDS === round || mayMiss(id));
    },
  });
  backplane.onMissed((isAffected) => {
    compare((id) => isAffected(channelOf(id))).catch((error: unknown) =>
      logger.error({ err: error, job: name }, 'could not compare with the database'),
    );
  });
}

/** Longer than two rounds: one may be late. */
const SAID_FOR_SECONDS = 5;
/** A change may be stored by a statement that got no answer, and is then published by nobody. */
const AFTER_FAILURE_MS = 20_000;

/**
 * While the backplane of this process is degraded, says so to the others in the database, because one that reaches Redis
 * cannot know that this one does not; and hears it of others. Notices that the database was away.
 */
export function tellOfLosses({
  backplane,
  jobs,
  database,
}: Pick<LostEventsParts, 'backplane' | 'jobs'> & { readonly database: Database }): void {
  let failedMs = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<boolean> => {
    if (backplane.state !== 'whole') {
      await sql`
        update events_lost
        set until = clock_timestamp() + make_interval(secs => ${SAID_FOR_SECONDS})`.execute(
        database,
      );
    }
    const { rows } = await sql<{ isSaid: boolean }>`
      select until > clock_timestamp() as "isSaid" from events_lost`.execute(database);
    return rows.some(({ isSaid }) => isSaid);
  };
  const run = async () => {
    try {
      const isSaid = await ask();
      backplane.isUncertain = isSaid || performance.now() - failedMs < AFTER_FAILURE_MS;
    } catch (error) {
      failedMs = performance.now();
      backplane.isUncertain = true;
      throw error;
    }
  };
  jobs.add({ name: 'lost events', everyMs: ROUND_MS, runs: 'process', run });
}
