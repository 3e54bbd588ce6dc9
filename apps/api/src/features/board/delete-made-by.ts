import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { withAuthor } from './board-element.ts';
import { countElements, lockBoards, type StoredChanges, updateBoards } from './board-rows.ts';
import type { StoredElement } from './merge-changes.ts';
import { intoMessages } from './store-changes.ts';

interface DeletedRow extends Omit<StoredElement, 'json'> {
  readonly type: string;
}

/**
 * Deletes the rows of a learner's elements on a board, with those of earlier deletions. No row records it: an
 * absent client then reads the whole board. To be called in a transaction.
 * @returns the changes for clients that have the board open.
 */
export async function deleteMadeBy(
  db: Database,
  { generation, userId }: { readonly generation: number; readonly userId: UserId },
  now: Date,
): Promise<readonly StoredChanges[]> {
  const [board] = await lockBoards(db, [generation]);
  if (!board) return [];
  const { roomId, epoch } = board;
  const { rows } = await sql<DeletedRow>`
    delete from board_element
    where room_id = ${roomId} and epoch = ${epoch} and author_id = ${userId}
    returning id, json::json ->> 'type' as type, version, version_nonce as "versionNonce",
              is_deleted as "isDeleted", author_id as "authorId"`.execute(db);
  const messages = intoMessages(rows.filter(({ isDeleted }) => !isDeleted).map(asDeleted));
  const number = board.number + Math.max(1, messages.length);
  await updateBoards(db, [{ ...board, ...(await countElements(db, board)), number }], now);
  await sql`
    update board set purged_number = ${number}
    where room_id = ${roomId} and epoch = ${epoch}`.execute(db);
  return (messages.length > 0 ? messages : [[]]).map((elements, index) => ({
    ...{ roomId, epoch, generation, elements },
    number: board.number + index + 1,
  }));
}

function asDeleted({ type, ...row }: DeletedRow): StoredElement {
  const { id, versionNonce, authorId } = row;
  const revision = { id, version: row.version + 1, versionNonce, isDeleted: true };
  const json = JSON.stringify({ type, ...revision });
  return { ...revision, authorId, json: withAuthor({ ...revision, json }, authorId) };
}
