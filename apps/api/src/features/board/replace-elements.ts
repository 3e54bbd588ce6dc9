import { sql } from 'kysely';
import {
  type BoardDb,
  type BoardPosition,
  countElements,
  type LockedBoard,
  updateBoards,
} from './board-rows.ts';

/**
 * Replaces all elements of a board by those of a version, or by none, as a new generation: drawings on the
 * earlier one are refused from then on. To be called in the transaction that has locked the board.
 */
export async function replaceElements(
  db: BoardDb,
  board: LockedBoard,
  versionId: number | null,
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
  await sql`
    insert into board_element (room_id, epoch, id, version, version_nonce, number, is_deleted,
                               author_id, json, bytes, changed_at)
    select ${roomId}, ${epoch}, element ->> 'id', (element ->> 'version')::bigint,
           (element ->> 'versionNonce')::bigint, ${number}, false,
           (element #>> '{customData,authorId}')::bigint, element::text,
           octet_length(element::text), ${now}
    from board_version cross join json_array_elements(elements) as element
    where board_version.id = ${versionId}`.execute(db);
  await updateBoards(db, [{ ...next, ...(await countElements(db, next)) }], now);
  return { generation: next.generation, number };
}
