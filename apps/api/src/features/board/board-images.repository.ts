import { BOARD_IMAGES_MAX } from '@mogakgong/contract';
import { sql } from 'kysely';
import {
  type Database,
  LARGE_ROWS,
  retryConflict,
  sweepInSlices,
} from '../../platform/database/index.ts';
import type { Gathering } from '../realtime/index.ts';
import { type BoardKey, lockBoard } from './board-rows.ts';

/** A re-encoded picture. */
export interface BoardPicture {
  /** The SHA-256 of the bytes. */
  readonly id: string;
  readonly image: Buffer;
}

/** A picture on the board of a gathering, or of a hosted room. */
interface AskedPicture extends Gathering {
  readonly imageId: string;
}

/** The queries on the pictures of boards. */
export function createBoardImagesRepository(database: Database) {
  /** The next boards with pictures. */
  async function findIllustrated(after: BoardKey | null, limit: number): Promise<BoardKey[]> {
    const { rows } = await sql<BoardKey>`
      select distinct room_id as "roomId", epoch from board_image
      where (room_id, epoch) > (${after?.roomId ?? 0}::bigint, ${after?.epoch ?? 0}::integer)
      order by room_id, epoch limit ${limit}`.execute(database);
    return rows;
  }

  /** Removes from boards the pictures that no element has named since `before`. */
  async function takeUnnamed(boards: readonly BoardKey[], before: Date, now: Date): Promise<void> {
    const asked = sql`
      unnest(${boards.map(({ roomId }) => roomId)}::bigint[],
             ${boards.map(({ epoch }) => epoch)}::integer[]) as asked (room_id, epoch)`;
    await sql`
      with named as (
        select distinct element.room_id, element.epoch, element.json::json ->> 'fileId' as picture_id
        from ${asked} join board_element as element using (room_id, epoch)
        -- Reading all JSON would take three times as long.
        where not element.is_deleted and element.json like '%"fileId":%'
        union
        select room_id, epoch, unnest(image_ids) from ${asked} join cleared_board using (room_id, epoch)
      )
      update board_image set used_at = ${now} from named
      where board_image.room_id = named.room_id and board_image.epoch = named.epoch
        and board_image.picture_id = named.picture_id`.execute(database);
    await sql`
      delete from board_image using ${asked}
      where board_image.room_id = asked.room_id and board_image.epoch = asked.epoch
        and used_at < ${before}`.execute(database);
  }

  return {
    /** Adds a picture to a board; false if it has too many. */
    add: (board: BoardKey, { id, image }: BoardPicture, now: Date): Promise<boolean> =>
      retryConflict(() =>
        database.transaction().execute(async (transaction) => {
          await lockBoard(transaction, board);
          const { rows } = await sql<{ others: number }>`
            select count(*)::integer as others from board_image
            where room_id = ${board.roomId} and epoch = ${board.epoch}
              and picture_id <> ${id}`.execute(transaction);
          if ((rows[0]?.others ?? 0) >= BOARD_IMAGES_MAX) return false;
          // Waits for a concurrent deletion of the picture, and stores it again.
          await sql`
            insert into board_picture (id, image, added_at) values (${id}, ${image}, ${now})
            on conflict (id) do update set added_at = excluded.added_at`.execute(transaction);
          await sql`
            insert into board_image (room_id, epoch, picture_id, used_at)
            values (${board.roomId}, ${board.epoch}, ${id}, ${now})
            on conflict (room_id, epoch, picture_id) do update set used_at = excluded.used_at`.execute(
            transaction,
          );
          return true;
        }),
      ),

    /** The sizes in bytes of pictures on the boards of gatherings; null for missing ones. */
    async findBytes(asked: readonly AskedPicture[]): Promise<(number | null)[]> {
      const { rows } = await sql<{ place: number; bytes: number }>`
        select place::integer, octet_length(image) as bytes
        from unnest(
          ${asked.map(({ roomId }) => roomId)}::bigint[], ${asked.map(({ epoch }) => epoch)}::integer[],
          ${asked.map(({ imageId }) => imageId)}::text[]
        ) with ordinality as asked (room_id, epoch, picture_id, place)
        join board_image on board_image.room_id = asked.room_id
          and board_image.epoch in (0, asked.epoch) and board_image.picture_id = asked.picture_id
        join board_picture on board_picture.id = asked.picture_id`.execute(database);
      const found = new Map(rows.map(({ place, bytes }) => [place, bytes]));
      return asked.map((_, index) => found.get(index + 1) ?? null);
    },

    /** The bytes of pictures by their ids. */
    async load(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
      const { rows } = await sql<BoardPicture>`
        select id, image from board_picture where id = any (${ids}::text[])`.execute(database);
      return new Map(rows.map(({ id, image }) => [id, image]));
    },

    /**
     * Removes from boards the pictures that no element, also of the cleared board, has named since `before`,
     * and deletes those that no board or report uses.
     */
    async deleteUnused(before: Date, now: Date): Promise<void> {
      await sweepInSlices<BoardKey>(
        { find: findIllustrated, work: (boards) => takeUnnamed(boards, before, now) },
        LARGE_ROWS,
      );
      // A concurrent transaction that adds one of them has locked it.
      let deleted: bigint | undefined;
      do {
        const { numAffectedRows } = await sql`
          delete from board_picture where id in (
            select id from board_picture
            where added_at < ${before}
              and not exists (select from board_image where picture_id = board_picture.id)
              and not exists (select from reported_picture where picture_id = board_picture.id)
            limit ${LARGE_ROWS} for update skip locked
          ) and added_at < ${before}`.execute(database);
        deleted = numAffectedRows;
      } while (deleted === BigInt(LARGE_ROWS));
    },
  };
}

export type BoardImagesRepository = ReturnType<typeof createBoardImagesRepository>;
