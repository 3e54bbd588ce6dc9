import { BOARD_ELEMENTS_MAX } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Gathering } from '../realtime/index.ts';
import {
  type BoardKey,
  countElements,
  findKnown,
  findPictureIds,
  keyOf,
  type LockedBoard,
  lockBoards,
  purgeDeleted,
  putElements,
  type StoredChanges,
  updateBoards,
} from './board-rows.ts';
import {
  type KnownOfBoard,
  type MergeOutcome,
  mergeChanges,
  type SentElements,
  type StoredElement,
} from './merge-changes.ts';

/** One message of a learner to the board of their gathering. */
export interface NewChanges extends SentElements {
  readonly gathering: Gathering;
  readonly generation: number;
}

/** The outcome of one message; if merged, the number of the board that includes it. */
export type StoreOutcome =
  | { readonly kind: 'merged'; readonly number: number }
  | { readonly kind: Exclude<MergeOutcome, 'merged'> | 'boardReplaced' };

export interface StoreResult {
  readonly outcomes: readonly StoreOutcome[];
  /** For each board in the order of its numbers. */
  readonly stored: readonly StoredChanges[];
}

/** A board with merged changes. */
interface MergedBoard {
  readonly board: LockedBoard;
  readonly outcomes: readonly StoreOutcome[];
  readonly changes: readonly StoredChanges[];
}

/**
 * Maximum number of deleted elements per board: without a bound, a client that draws and deletes fills the
 * disk.
 */
export const DELETED_MAX = 2 * BOARD_ELEMENTS_MAX;
/** Bytes of the elements in one message, unless a single one is larger. */
const MESSAGE_MAX_BYTES = 64 * 1024;

/**
 * Stores messages of several learners to any boards. To be called in a transaction. A repeated message
 * changes nothing.
 */
export async function storeChanges(
  db: Database,
  sent: readonly NewChanges[],
  now: Date,
): Promise<StoreResult> {
  const boards = await lockBoards(db, [...new Set(sent.map(({ generation }) => generation))]);
  const sentTo = Map.groupBy(sent, (changes) => boards.find((board) => isFor(changes, board)));
  const knownOf = await findKnownOf(db, sentTo);
  const outcomes = new Map<NewChanges, StoreOutcome>();
  const changed: MergedBoard[] = [];
  for (const [board, changes] of sentTo) {
    const merged = board && (await mergeInto(db, board, changes, knownOf(board)));
    if (merged && merged.changes.length > 0) changed.push(merged);
    for (const [index, change] of changes.entries()) {
      outcomes.set(change, merged?.outcomes[index] ?? { kind: 'boardReplaced' });
    }
  }
  const stored = changed.flatMap(({ changes }) => changes);
  if (stored.length > 0) {
    await updateBoards(
      db,
      changed.map(({ board }) => board),
      now,
    );
    await putElements(db, stored, now);
    for (const { board, changes } of changed) {
      if (changes.some(({ elements }) => elements.some(({ isDeleted }) => isDeleted))) {
        await purgeDeleted(db, board, isTooOld(board));
      }
    }
  }
  return { outcomes: sent.map((change) => outcomes.get(change) as StoreOutcome), stored };
}

/** SQL for "enough elements were deleted after this one". */
const isTooOld = ({ roomId, epoch }: BoardKey) => sql`
  number <= (
    select number from board_element where room_id = ${roomId} and epoch = ${epoch} and is_deleted
    order by number desc offset ${DELETED_MAX} limit 1
  )`;

/** A generation belongs to one board only: one of another room or gathering does not match. */
function isFor({ generation, gathering }: NewChanges, board: LockedBoard): boolean {
  return (
    board.generation === generation &&
    board.roomId === gathering.roomId &&
    (board.epoch === 0 || board.epoch === gathering.epoch)
  );
}

/** Reads the stored data that the merge of new messages needs. */
async function findKnownOf(
  db: Database,
  sentTo: ReadonlyMap<LockedBoard | undefined, readonly NewChanges[]>,
): Promise<(board: LockedBoard) => KnownOfBoard> {
  const elements = [...sentTo].flatMap(([board, changes]) =>
    board
      ? changes.flatMap((one) =>
          one.elements.map((e) => ({ ...e, roomId: board.roomId, epoch: board.epoch })),
        )
      : [],
  );
  const known = await findKnown(db, elements);
  const pictureIds = await findPictureIds(
    db,
    elements.flatMap(({ pictureId, ...element }) =>
      pictureId === null ? [] : { ...element, pictureId },
    ),
  );
  return (board) => ({
    known: known.get(keyOf(board)) ?? new Map(),
    pictureIds: pictureIds.get(keyOf(board)) ?? new Set(),
  });
}

async function mergeInto(
  db: Database,
  board: LockedBoard,
  sent: readonly NewChanges[],
  known: KnownOfBoard,
): Promise<MergedBoard> {
  let merged = mergeChanges(known, board, sent);
  if (merged.outcomes.includes('boardFull')) {
    // The totals are upper bounds: an account's rows may have been deleted.
    merged = mergeChanges(known, await countElements(db, board), sent);
  }
  const messages = intoMessages(merged.winners);
  const number = board.number + messages.length;
  const { roomId, epoch, generation } = board;
  return {
    board: { ...board, ...merged.totals, number },
    outcomes: merged.outcomes.map((kind) => (kind === 'merged' ? { kind, number } : { kind })),
    changes: messages.map((elements, index) => ({
      ...{ roomId, epoch, generation, elements },
      number: board.number + index + 1,
    })),
  };
}

/** Elements in groups, each as large as one message allows. */
export function intoMessages(elements: readonly StoredElement[]): StoredElement[][] {
  const messages: StoredElement[][] = [];
  let bytes = Infinity;
  for (const element of elements) {
    const ownBytes = Buffer.byteLength(element.json);
    bytes += ownBytes;
    if (bytes > MESSAGE_MAX_BYTES) {
      messages.push([]);
      bytes = ownBytes;
    }
    messages.at(-1)?.push(element);
  }
  return messages;
}
