import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { retryLost } from '../../platform/database/index.ts';
import type { BoardRepository } from './board.repository.ts';
import type { StoredChanges } from './board-rows.ts';
import type { NewChanges, StoreOutcome } from './store-changes.ts';

interface BoardWriterParts {
  readonly repository: Pick<BoardRepository, 'store'>;
  readonly clock: Clock;
  /** Called with what was committed, for each board in the order of its numbers. */
  readonly onStored: (changes: StoredChanges) => void;
}

/** What one transaction stores at most, of all boards. */
const BATCH_SIZE = 200;
/** The distance between two commits: browsers send every 50 ms, and nobody sees a wait this short. */
const APART_MS = 20;

/**
 * Group commit: what was drawn on all boards while one transaction is under way shares the next.
 * @returns resolves when it is committed and on its way to everybody.
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
