import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { retryLost } from '../../platform/database/index.ts';
import type { BoardRepository } from './board.repository.ts';
import type { StoredChanges } from './board-rows.ts';
import type { NewChanges, StoreOutcome } from './store-changes.ts';

interface BoardWriterParts {
  readonly repository: Pick<BoardRepository, 'store'>;
  readonly clock: Clock;
  /** Called with the committed changes, for each board in the order of its numbers. */
  readonly onStored: (changes: StoredChanges) => void;
}

/** Maximum number of messages stored by one transaction, over all boards. */
const BATCH_SIZE = 200;
/** Interval between two commits: browsers send every 50 ms, and this wait is imperceptible. */
const APART_MS = 20;

/**
 * Group commit: drawings on all boards made during one transaction share the next.
 * @returns resolves when they are committed and about to be delivered.
 */
export function createBoardWriter(
  parts: BoardWriterParts,
): (sent: NewChanges) => Promise<StoreOutcome> {
  const { repository, clock, onStored } = parts;

  return createBatcher(
    async (sent) => {
      const now = clock.now();
      const { outcomes, stored } = await retryLost(() => repository.store(sent, now));
      for (const changes of stored) onStored(changes);
      return outcomes;
    },
    BATCH_SIZE,
    () => APART_MS,
  );
}
