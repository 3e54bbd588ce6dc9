import type { RoomId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { BoardTotals, KnownElement, StoredElement } from './merge-changes.ts';

/** Identifies a board. */
export interface BoardKey {
  readonly roomId: RoomId;
  /** The epoch of the gathering; 0 in a hosted room. */
  readonly epoch: number;
}

/** The position up to which a board is known. */
export interface BoardPosition {
  readonly generation: number;
  readonly number: number;
}

/** A board with its row locked by a transaction. */
export interface LockedBoard extends BoardKey, BoardPosition, BoardTotals {}

/** Elements that changed together; the number is the board's after the change. */
export interface StoredChanges extends BoardKey, BoardPosition {
  readonly elements: readonly StoredElement[];
}

export const keyOf = ({ roomId, epoch }: BoardKey) => `${roomId} ${epoch}`;

/**
 * Locks boards until the transaction ends, in the order of their keys, so that two processes cannot deadlock.
 * A board replaced meanwhile is not found.
 */
export async function lockBoards(
  db: Database,
  generations: readonly number[],
): Promise<readonly LockedBoard[]> {
  const { rows } = await sql<LockedBoard>`
    select room_id as "roomId", epoch, generation, number, elements, bytes
    from board where generation = any (${generations}::bigint[])
    order by room_id, epoch for update`.execute(db);
  return rows;
}

/** Locks one board until the transaction ends, whatever its generation. */
export async function lockBoard(
  db: Database,
  { roomId, epoch }: BoardKey,
): Promise<LockedBoard | null> {
  const { rows } = await sql<LockedBoard>`
    select room_id as "roomId", epoch, generation, number, elements, bytes
    from board where room_id = ${roomId} and epoch = ${epoch} for update`.execute(db);
  return rows[0] ?? null;
}

/** The stored state of elements, by their ids, for each board by `keyOf`. */
export async function findKnown(
  db: Database,
  asked: readonly (BoardKey & { readonly id: string })[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, KnownElement>>> {
  const { rows } = await sql<BoardKey & KnownElement & { id: string }>`
    select room_id as "roomId", epoch, id, version, version_nonce as "versionNonce",
           is_deleted as "isDeleted", author_id as "authorId", bytes
    from board_element join unnest(
      ${asked.map((e) => e.roomId)}::bigint[], ${asked.map((e) => e.epoch)}::integer[],
      ${asked.map((e) => e.id)}::text[]
    ) as asked (room_id, epoch, id) using (room_id, epoch, id)`.execute(db);
  const found = new Map<string, Map<string, KnownElement>>();
  for (const row of rows) {
    const ofBoard = found.get(keyOf(row)) ?? new Map<string, KnownElement>();
    found.set(keyOf(row), ofBoard.set(row.id, row));
  }
  return found;
}

/** The pictures of these that are stored for their boards, for each board by `keyOf`. */
export async function findPictureIds(
  db: Database,
  asked: readonly (BoardKey & { readonly pictureId: string })[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<BoardKey & { pictureId: string }>`
    select room_id as "roomId", epoch, picture_id as "pictureId" from board_image join unnest(
      ${asked.map((e) => e.roomId)}::bigint[], ${asked.map((e) => e.epoch)}::integer[],
      ${asked.map((e) => e.pictureId)}::text[]
    ) as asked (room_id, epoch, picture_id) using (room_id, epoch, picture_id)`.execute(db);
  const found = Map.groupBy(rows, keyOf);
  return new Map(
    [...found].map(([key, ofBoard]) => [key, new Set(ofBoard.map(({ pictureId }) => pictureId))]),
  );
}

/** The totals of a board's elements, counted from its rows. */
export async function countElements(
  db: Database,
  { roomId, epoch }: BoardKey,
): Promise<BoardTotals> {
  const { rows } = await sql<BoardTotals>`
    select count(*)::integer as elements, coalesce(sum(bytes), 0)::bigint as bytes
    from board_element
    where room_id = ${roomId} and epoch = ${epoch} and not is_deleted`.execute(db);
  return rows[0] as BoardTotals;
}

export async function updateBoards(
  db: Database,
  boards: readonly LockedBoard[],
  now: Date,
): Promise<void> {
  await sql`
    update board set number = given.number, elements = given.elements, bytes = given.bytes,
                     changed_at = ${now}
    from unnest(
      ${boards.map((b) => b.roomId)}::bigint[], ${boards.map((b) => b.epoch)}::integer[],
      ${boards.map((b) => b.number)}::bigint[], ${boards.map((b) => b.elements)}::integer[],
      ${boards.map((b) => b.bytes)}::bigint[]
    ) as given (room_id, epoch, number, elements, bytes)
    where board.room_id = given.room_id and board.epoch = given.epoch`.execute(db);
}

/** Writes rows of elements; their authors stay. */
export async function putElements(
  db: Database,
  changes: readonly StoredChanges[],
  now: Date,
): Promise<void> {
  const rows = changes.flatMap(({ elements, roomId, epoch, number }) =>
    elements.map((element) => ({ ...element, roomId, epoch, number })),
  );
  const column = <Value>(of: (row: (typeof rows)[number]) => Value) => rows.map(of);
  await sql`
    insert into board_element (room_id, epoch, id, version, version_nonce, number, is_deleted,
                               author_id, json, bytes, changed_at)
    select *, ${now} from unnest(
      ${column((e) => e.roomId)}::bigint[], ${column((e) => e.epoch)}::integer[],
      ${column((e) => e.id)}::text[], ${column((e) => e.version)}::bigint[],
      ${column((e) => e.versionNonce)}::bigint[], ${column((e) => e.number)}::bigint[],
      ${column((e) => e.isDeleted)}::boolean[], ${column((e) => e.authorId)}::bigint[],
      ${column((e) => e.json)}::text[],
      ${column((e) => Buffer.byteLength(e.json))}::integer[]
    )
    on conflict (room_id, epoch, id) do update set
      version = excluded.version, version_nonce = excluded.version_nonce, number = excluded.number,
      is_deleted = excluded.is_deleted, json = excluded.json, bytes = excluded.bytes,
      changed_at = excluded.changed_at`.execute(db);
}

/**
 * Deletes the rows of deleted elements of a board for good. A client that knows the board only up to an
 * earlier number then reads all of it.
 * @param which SQL that selects from `board_element`, among this board's deleted elements.
 */
export async function purgeDeleted(
  db: Database,
  { roomId, epoch }: BoardKey,
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with purged as (
      delete from board_element
      where room_id = ${roomId} and epoch = ${epoch} and is_deleted and ${which} returning number
    )
    update board set purged_number = greatest(purged_number, (select max(number) from purged))
    where room_id = ${roomId} and epoch = ${epoch} and exists (select from purged)`.execute(db);
}
