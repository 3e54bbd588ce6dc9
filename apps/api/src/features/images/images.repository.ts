import { DEFAULT_PROFILE_IMAGE, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { changeProfileImage } from '../users/index.ts';

/** The result of choosing a picture. */
interface ChosenImage {
  /** False for a picture that is not stored. */
  readonly isThere: boolean;
  /** Its number in the room's roster; null when others see nothing new. */
  readonly change: SeatChange | null;
}

/** The only queries on the table of pictures. */
export function createImagesRepository(database: Database) {
  return {
    /** Notes that a picture is about to be stored; waits for the end of its deletion. */
    async note(address: string, now: Date): Promise<void> {
      await sql`
        insert into image (address, used_at) values (${address}, ${now})
        on conflict (address) do update set used_at = excluded.used_at`.execute(database);
    },

    /**
     * Changes a learner's picture, and counts that among what the room shows in the same statement.
     * A picture that is being deleted is not there; one that is chosen is not deleted.
     */
    async choose(userId: UserId, address: string, now: Date): Promise<ChosenImage> {
      const chosen =
        address === DEFAULT_PROFILE_IMAGE
          ? sql`select ${address}::text as address`
          : sql`update image set used_at = ${now} where address = ${address} returning address`;
      const { rows } = await sql<ChosenImage>`
        with chosen as (${chosen}),
        ${changeProfileImage(userId, sql`chosen`)},
        ${countOneUpdate(sql<UserId>`(select user_id from picture_changed)`)}
        select exists (select from chosen) as "isThere", (
          select json_build_object('userId', user_id, 'roomId', room_id, 'number', number)
          from counted_update
        ) as change`.execute(database);
      const [result] = rows;
      if (!result) throw new Error('a statement without a row');
      return result;
    },

    /** Lets a picture be deleted by the next `forgetUnused`, if nobody has it then. */
    async markUnused(address: string): Promise<void> {
      await sql`update image set used_at = '-infinity' where address = ${address}`.execute(
        database,
      );
    },

    /**
     * Forgets up to `limit` pictures that nobody has and that were last used before `before`, after
     * `remove` has removed their bytes. Who uploads one of them meanwhile waits, and stores it again.
     * @returns how many they were.
     */
    forgetUnused: (before: Date, limit: number, remove: (address: string) => Promise<void>) =>
      database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ address: string }>`
          delete from image where address in (
            select address from image
            where used_at < ${before}
              and not exists (select from users where profile_image = address)
            order by address limit ${limit} for update skip locked
          ) and used_at < ${before}
          returning address`.execute(transaction);
        for (const { address } of rows) await remove(address);
        return rows.length;
      }),
  };
}

export type ImagesRepository = ReturnType<typeof createImagesRepository>;
