import type { RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import {
  type BoardDb,
  type BoardPosition,
  countElements,
  lockBoards,
  putElements,
  updateBoards,
} from './board-rows.ts';
import type { StoredElement } from './merge-changes.ts';

/** What is replaced: a board as long as it is of this generation. */
export interface Replaceable {
  readonly roomId: RoomId;
  readonly generation: number;
}

export interface Replaced extends BoardPosition {
  readonly epoch: number;
  /** What was there before, without deleted elements. */
  readonly before: readonly StoredElement[];
}

/**
 * Puts other elements in the place of all that a board has, as a new generation: what was drawn on the
 * earlier one is refused from then on. To be called in a transaction.
 * @returns null: the board is of another generation already.
 */
export async function replaceElements(
  db: BoardDb,
  { roomId, generation }: Replaceable,
  elements: readonly StoredElement[],
  now: Date,
): Promise<Replaced | null> {
  const [board] = await lockBoards(db, [generation]);
  if (board?.roomId !== roomId) return null;
  const { epoch } = board;
  const number = board.number + 1;
  const { rows: removed } = await sql<StoredElement>`
    delete from board_element where room_id = ${roomId} and epoch = ${epoch}
    returning id, version, version_nonce as "versionNonce", is_deleted as "isDeleted",
              author_id as "authorId", json`.execute(db);
  const { rows } = await sql<{ generation: number }>`
    update board set generation = nextval('board_generation'), purged_number = ${number}
    where room_id = ${roomId} and epoch = ${epoch} returning generation`.execute(db);
  const next = { roomId, epoch, number, generation: rows[0]?.generation as number };
  await putElements(db, [{ ...next, elements }], now);
  await updateBoards(db, [{ ...next, ...(await countElements(db, next)) }], now);
  const before = removed.filter(({ isDeleted }) => !isDeleted);
  return { epoch, number, generation: next.generation, before };
}
