import { CHAT_PAGE_SIZE, type ChatPosition } from '@mogakgong/contract';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { Gathering } from '../realtime/index.ts';
import type { ChatRepository, StoredMessage } from './chat.repository.ts';
import { REPLAY_MAX } from './room-log.ts';

/** Maximum number of rooms in one query for newest pages. */
const PAGES_AT_ONCE = 200;
/** Maximum number of learners in one query for missed messages, which are longer than a page. */
const RECOVERIES_AT_ONCE = 50;
/** More than is replayed: messages that arrive during the query are included. */
const MISSED_MAX = REPLAY_MAX + CHAT_PAGE_SIZE;

const keyOf = ({ roomId, epoch }: Gathering) => `${roomId} ${epoch}`;

/**
 * Loads the history of new subscribers from the database. After a restart that is everybody at once: many
 * share a query, and no message of a room is read twice.
 */
export function createHistoryLoader(repository: ChatRepository) {
  const loadLatest = createBatcher(
    async (gatherings: readonly Gathering[]) => {
      const found = Map.groupBy(await repository.findLatest(gatherings, CHAT_PAGE_SIZE), keyOf);
      return gatherings.map((gathering) => found.get(keyOf(gathering)) ?? []);
    },
    PAGES_AT_ONCE,
    arrivalBatches,
  );

  const loadMissed = createBatcher(
    async (positions: readonly ChatPosition[]): Promise<StoredMessage[][]> => {
      const earliest = new Map<string, ChatPosition>();
      for (const position of positions) {
        const known = earliest.get(keyOf(position));
        if (!known || position.number < known.number) earliest.set(keyOf(position), position);
      }
      const rows = await repository.findSince([...earliest.values()], MISSED_MAX);
      const found = Map.groupBy(rows, keyOf);
      return positions.map((position) =>
        (found.get(keyOf(position)) ?? []).filter(({ number }) => number > position.number),
      );
    },
    RECOVERIES_AT_ONCE,
    arrivalBatches,
  );

  return {
    loadLatest,
    loadMissed,
    /** Not batched: for messages that the backplane has lost. */
    loadSince: (position: ChatPosition, limit: number) => repository.findSince([position], limit),
  };
}
