import { FORGIVEN_SILENCE_MS, nextPhaseMs, type UserId } from '@mogakgong/contract';
import { inHalves, sweepInSlices } from '../../platform/database/index.ts';
import type { SignOfLife } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { FocusRepository } from './focus.repository.ts';
import { afterPhases, afterReturn, afterSilence, unchanged } from './visit-change.ts';
import type { VisitEdit } from './visit-editor.ts';

/** Maximum delay until a sign of life is stored. */
const SIGNS_LATE_MS = 15_000;
/** Neither a silence nor a press can still be forgiven or counted from its moment. */
const SETTLED_AFTER_MS = FORGIVEN_SILENCE_MS + SIGNS_LATE_MS;
/** Visits changed in one transaction: few enough that nobody waits long for their seat. */
const SETTLED_AT_ONCE = 250;

interface SweepParts extends Pick<AppContext, 'checkedClock' | 'logger'> {
  readonly repository: FocusRepository;
}

/** Changes of visits that nobody asks for: silences, returns, and phases of schedules. */
export function createVisitSweeps(
  { repository, checkedClock, logger }: SweepParts,
  edit: (edits: readonly VisitEdit[]) => Promise<unknown>,
) {
  /**
   * Edits many visits; a failing batch is halved until the failing edit is alone.
   * @throws as soon as the database is unavailable: the caller repeats everything later.
   */
  async function settle(edits: readonly VisitEdit[]): Promise<void> {
    for (let index = 0; index < edits.length; index += SETTLED_AT_ONCE) {
      await inHalves(edits.slice(index, index + SETTLED_AT_ONCE), edit, (error, { userId }) =>
        logger.error({ err: error, userId }, 'could not settle a visit'),
      );
    }
  }

  /** Settles silences that have ended. */
  const settleReturns = (signs: readonly SignOfLife[]): Promise<void> =>
    settle(
      signs.map(({ userId, at }) => ({
        userId,
        now: at,
        isProofOfLife: true,
        edit: ({ visit, silence }) => afterReturn(unchanged(visit), silence, at.getTime()),
      })),
    );

  return {
    settleReturns,

    /**
     * Sets learners away who have been silent for too long, and settles the silences of learners who were heard
     * again while that could not be done.
     */
    async sweepSilences(): Promise<void> {
      const now = checkedClock.now();
      await sweepInSlices<UserId>({
        find: (after, limit) =>
          repository.findSilentAtWork({ now, afterMs: SETTLED_AFTER_MS }, after, limit),
        work: (silent) =>
          settle(
            silent.map((userId) => ({
              userId,
              now,
              isProofOfLife: false,
              edit: ({ visit, silence }) => afterSilence(unchanged(visit), silence),
            })),
          ),
      });
      await sweepInSlices<SignOfLife>({ find: repository.findReturned, work: settleReturns });
    },

    /**
     * Stores the first phase of each following visit that no press can precede any more. Phases count without
     * it (`partsUntil`): it bounds what a reading computes.
     */
    async sweepPhases(): Promise<void> {
      const now = checkedClock.now();
      await sweepInSlices<UserId>({
        find: (after, limit) =>
          repository.findInPhase({ now, ageMs: SETTLED_AFTER_MS }, after, limit),
        work: (userIds) => settle(userIds.map((userId) => phaseEdit(userId, now))),
      });
    },
  };
}

/** None after the last sign of life: a silence may still be away. */
const phaseEdit = (userId: UserId, now: Date): VisitEdit => ({
  userId,
  now,
  isProofOfLife: false,
  edit: ({ visit, silence }) => {
    const settled = afterSilence(unchanged(visit), silence);
    const atMs = nextPhaseMs(settled.visit.clock);
    const latestMs = Math.min(silence.sinceMs, now.getTime() - SETTLED_AFTER_MS);
    return atMs === null || atMs > latestMs ? settled : afterPhases(settled, atMs);
  },
});

export type VisitSweeps = ReturnType<typeof createVisitSweeps>;
