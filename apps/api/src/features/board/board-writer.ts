import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { isConnectionLost, retryConflict } from '../../platform/database/index.ts';
import type { BoardRepository } from './board.repository.ts';
import type { StoredChanges } from './board-rows.ts';
import type { NewChanges, StoreOutcome, StoreResult } from './store-changes.ts';

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
/** A connection may break before its answer has come: the same sent again changes nothing. */
const TRIES = 3;
/** Connections often break together: by then it is known of which. */
const RETRY_AFTER_MS = 50;

/**
 * Group commit: what was drawn on all boards while one transaction is under way shares the next.
 * @returns resolves when it is committed and on its way to everybody.
 */
export function createBoardWriter(
  parts: BoardWriterParts,
): (sent: NewChanges) => Promise<StoreOutcome> {
  const { repository, clock, onStored } = parts;

  async function store(sent: readonly NewChanges[], now: Date): Promise<StoreResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await retryConflict(() => repository.store(sent, now));
      } catch (error) {
        if (attempt === TRIES || !isConnectionLost(error)) throw error;
        await delay(RETRY_AFTER_MS);
      }
    }
  }

  return createBatcher(
    async (sent) => {
      const { outcomes, stored } = await store(sent, clock.now());
      for (const changes of stored) onStored(changes);
      return outcomes;
    },
    BATCH_SIZE,
    () => APART_MS,
  );
}
