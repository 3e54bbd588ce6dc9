import { CLEARED_BOARD_KEPT_MS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices, LARGE_ROWS } from '../../platform/database/index.ts';
import {
  type BoardKey,
  type BoardPosition,
  countElements,
  type LockedBoard,
  updateBoards,
} from './board-rows.ts';
import type { BoardTotals } from './merge-changes.ts';

const keptSince = (now: Date) => new Date(now.getTime() - CLEARED_BOARD_KEPT_MS);

/**
 * Keeps the elements of a board in the place of those kept before, and deletes them from the board. To be
 * called in the transaction that has locked the board.
 * @returns the board's new position; null, with nothing changed, if the board is empty.
 */
export async function clearElements(
  db: Database,
  board: LockedBoard,
  now: Date,
): Promise<BoardPosition | null> {
  const { roomId, epoch } = board;
  const { numAffectedRows: kept } = await sql`
    insert into cleared_board (room_id, epoch, cleared_at, elements, author_ids, image_ids)
    select room_id, epoch, ${now}, json_agg(json::json), array_agg(distinct author_id),
           array_remove(array_agg(distinct json::json ->> 'fileId'), null)
    from board_element where room_id = ${roomId} and epoch = ${epoch} and not is_deleted
    group by room_id, epoch
    on conflict (room_id, epoch) do update
    set cleared_at = excluded.cleared_at, elements = excluded.elements,
        author_ids = excluded.author_ids, image_ids = excluded.image_ids`.execute(db);
  if (kept === 0n) return null;
  await sql`
    delete from board_element where room_id = ${roomId} and epoch = ${epoch}`.execute(db);
  return (await renewBoard(db, board, now)).position;
}

/**
 * Adds the kept elements to those of a board, and keeps them no longer. An element that was drawn again since
 * stays as it is. To be called in the transaction that has locked the board.
 * @returns the board's new position and totals, which may exceed its limits; null if nothing is kept.
 */
export async function bringBackElements(db: Database, board: LockedBoard, now: Date) {
  const { roomId, epoch } = board;
  const { rows } = await sql`
    with brought as (
      delete from cleared_board
      where room_id = ${roomId} and epoch = ${epoch} and cleared_at > ${keptSince(now)}
      returning elements
    ), added as (
      insert into board_element (room_id, epoch, id, version, version_nonce, number, is_deleted,
                                 author_id, json, bytes, changed_at)
      select ${roomId}, ${epoch}, element ->> 'id', (element ->> 'version')::bigint,
             (element ->> 'versionNonce')::bigint, ${board.number + 1}, false,
             (element #>> '{customData,authorId}')::bigint, element::text,
             octet_length(element::text), ${now}
      from brought cross join json_array_elements(elements) as element
      on conflict (room_id, epoch, id) do update set
        version = excluded.version, version_nonce = excluded.version_nonce,
        number = excluded.number, is_deleted = false, author_id = excluded.author_id,
        json = excluded.json, bytes = excluded.bytes, changed_at = excluded.changed_at
      where board_element.is_deleted
    )
    select from brought`.execute(db);
  return rows.length === 1 ? renewBoard(db, board, now) : null;
}

/** Counts the elements of a board as a new generation: drawings on the earlier one are refused from then on. */
async function renewBoard(
  db: Database,
  { roomId, epoch, number: before }: LockedBoard,
  now: Date,
): Promise<{ position: BoardPosition; totals: BoardTotals }> {
  const number = before + 1;
  const { rows } = await sql<{ generation: number }>`
    update board set generation = nextval('board_generation'), purged_number = ${number}
    where room_id = ${roomId} and epoch = ${epoch} returning generation`.execute(db);
  const position = { generation: rows[0]?.generation as number, number };
  const totals = await countElements(db, { roomId, epoch });
  await updateBoards(db, [{ roomId, epoch, ...position, ...totals }], now);
  return { position, totals };
}

/** The learners seated in the gathering of a board now. */
export async function findSeated(db: Database, { roomId, epoch }: BoardKey): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    select member.user_id as "userId" from room_member as member
    where member.room_id = ${roomId} and ${epoch} in (0, member.epoch)`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** Deletes cleared boards that can no longer be brought back. */
export const deleteOldCleared = (db: Database, now: Date) =>
  deleteInSlices(db, 'cleared_board', sql`cleared_at <= ${keptSince(now)}`, LARGE_ROWS);

/** Deletes the drawings of an account that is being deleted from cleared boards. */
export async function forgetInCleared(db: Database, userId: UserId): Promise<void> {
  await sql`
    update cleared_board set (elements, author_ids) = (
      select coalesce(json_agg(element), '[]'), array_remove(author_ids, ${userId}::bigint)
      from json_array_elements(elements) as element
      where (element -> 'customData' ->> 'authorId')::bigint is distinct from ${userId}::bigint
    )
    where author_ids @> array[${userId}]::bigint[]`.execute(db);
}
