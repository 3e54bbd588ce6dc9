import { BOARD_COPIES_MAX, type RoomId, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { lockLearner } from '../users/index.ts';
import type { BoardKey } from './board-rows.ts';

/** A board as the owner of the copy saw it. */
interface NewCopy {
  readonly ownerId: UserId;
  readonly name: string;
  /** Learners with hidden elements. */
  readonly apart: ReadonlySet<UserId>;
  readonly copiedAt: Date;
}

/** A copy without its elements. */
export interface CopyRow {
  readonly id: number;
  readonly name: string;
  readonly copiedAt: Date;
  readonly elements: number;
}

const columns = sql`id, name, copied_at as "copiedAt", element_count as elements`;

/** The queries on copies of boards. */
export function createBoardCopiesRepository(database: Database) {
  return {
    /** Stores a copy with its pictures; null if its owner has the maximum number. */
    insert: (board: BoardKey, copy: NewCopy): Promise<CopyRow | null> =>
      database.transaction().execute(async (transaction) => {
        const { ownerId, name, apart, copiedAt } = copy;
        // Serialised per owner, so that two tabs cannot exceed the limit together.
        await lockLearner(sql`${ownerId}`, null, 'no key update').execute(transaction);
        // A copy does not name its authors.
        const { rows } = await sql<CopyRow>`
          insert into board_copy (owner_id, name, copied_at, elements, element_count)
          select ${ownerId}, ${name}, ${copiedAt}, drawn.elements, drawn.count from (
            select coalesce(json_agg(json::jsonb - 'customData' order by number), '[]') as elements,
                   count(*) as count
            from board_element
            where room_id = ${board.roomId} and epoch = ${board.epoch} and not is_deleted
              and author_id <> all(${[...apart]}::bigint[])
              -- Of somebody with enough copies nothing is read.
              and (select count(*) from board_copy where owner_id = ${ownerId}) < ${BOARD_COPIES_MAX}
          ) as drawn
          where (select count(*) from board_copy where owner_id = ${ownerId}) < ${BOARD_COPIES_MAX}
          returning ${columns}`.execute(transaction);
        const [stored] = rows;
        if (!stored) return null;
        await sql`
          insert into board_copy_image (copy_id, picture_id)
          select ${stored.id}, picture_id from board_image
          where room_id = ${board.roomId} and epoch = ${board.epoch} and picture_id in (
            select element ->> 'fileId' from board_copy
            cross join json_array_elements(elements) as element where board_copy.id = ${stored.id}
          )`.execute(transaction);
        return stored;
      }),

    /** The name of a hosted room; empty for any other. */
    async findRoomName(roomId: RoomId): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select name from hosted_room where room_id = ${roomId}`.execute(database);
      return rows[0]?.name ?? '';
    },

    /** Newest first. */
    async findOf(ownerId: UserId): Promise<CopyRow[]> {
      const { rows } = await sql<CopyRow>`
        select ${columns} from board_copy where owner_id = ${ownerId} order by id desc`.execute(
        database,
      );
      return rows;
    },

    /** A copy with the size in bytes of its elements. */
    async find(ownerId: UserId, copyId: number) {
      const { rows } = await sql<CopyRow & { bytes: number }>`
        select ${columns}, octet_length(board_copy.elements::text) as bytes
        from board_copy where owner_id = ${ownerId} and id = ${copyId}`.execute(database);
      return rows[0] ?? null;
    },

    /** The elements of a copy as one JSON text, as they are stored; null where there is none. */
    async findListText(copyId: number): Promise<string | null> {
      const { rows } = await sql<{ listText: string }>`
        select elements::text as "listText" from board_copy where id = ${copyId}`.execute(database);
      return rows[0]?.listText ?? null;
    },

    /** The size in bytes of a picture on a copy; null where there is none. */
    async findBytes(ownerId: UserId, copyId: number, imageId: string): Promise<number | null> {
      const { rows } = await sql<{ bytes: number }>`
        select octet_length(image) as bytes from board_copy
        join board_copy_image on copy_id = board_copy.id
        join board_picture on board_picture.id = picture_id
        where owner_id = ${ownerId} and copy_id = ${copyId} and picture_id = ${imageId}`.execute(
        database,
      );
      return rows[0]?.bytes ?? null;
    },

    /** @returns whether it existed. */
    async delete(ownerId: UserId, copyId: number): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from board_copy where owner_id = ${ownerId} and id = ${copyId}`.execute(database);
      return numAffectedRows === 1n;
    },

    /** The pictures of a learner's copies, each once. */
    async findPictureIds(ownerId: UserId): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct picture_id as id from board_copy join board_copy_image on copy_id = board_copy.id
        where owner_id = ${ownerId} order by id`.execute(database);
      return rows.map(({ id }) => id);
    },

    async findPicture(ownerId: UserId, imageId: string): Promise<Buffer | null> {
      const { rows } = await sql<{ image: Buffer }>`
        select image from board_picture where id = ${imageId} and exists (
          select from board_copy join board_copy_image on copy_id = board_copy.id
          where owner_id = ${ownerId} and picture_id = board_picture.id)`.execute(database);
      return rows[0]?.image ?? null;
    },
  };
}

export type BoardCopiesRepository = ReturnType<typeof createBoardCopiesRepository>;
