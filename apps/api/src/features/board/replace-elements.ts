import { sql } from 'kysely';
import {
  type BoardDb,
  type BoardPosition,
  countElements,
  type LockedBoard,
  putElements,
  updateBoards,
} from './board-rows.ts';
import type { StoredElement } from './merge-changes.ts';

/**
 * Puts other elements in the place of all that a board has, as a new generation: what was drawn on the
 * earlier one is refused from then on. To be called in the transaction that has locked the board.
 */
export async function replaceElements(
  db: BoardDb,
  board: LockedBoard,
  elements: readonly StoredElement[],
  now: Date,
): Promise<BoardPosition> {
  const { roomId, epoch } = board;
  const number = board.number + 1;
  await sql`
    delete from board_element where room_id = ${roomId} and epoch = ${epoch}`.execute(db);
  const { rows } = await sql<{ generation: number }>`
    update board set generation = nextval('board_generation'), purged_number = ${number}
    where room_id = ${roomId} and epoch = ${epoch} returning generation`.execute(db);
  const next = { roomId, epoch, number, generation: rows[0]?.generation as number };
  await putElements(db, [{ ...next, elements }], now);
  await updateBoards(db, [{ ...next, ...(await countElements(db, next)) }], now);
  return { generation: next.generation, number };
}
