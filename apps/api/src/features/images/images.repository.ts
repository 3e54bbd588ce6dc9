import { DEFAULT_PROFILE_IMAGE, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Database } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { changeProfileImage, userCards } from '../users/index.ts';

/** Path of served pictures. */
export const IMAGES_PATH = '/files/images/';

/** The result of choosing a picture. */
interface ChosenImage {
  /** False for a picture that is not stored. */
  readonly isThere: boolean;
  /** Its number in the room's roster; null if others see no change. */
  readonly change: SeatChange | null;
}

/** A removal of bytes that takes longer has failed, or its process was killed: see `beginRemovals`. */
export const REMOVAL_MS = 10_000;

/** The names of all stored pictures, on a connection of a backup. */
export async function findPictureNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>('select address from image');
  return rows.map(({ address }) => address.slice(IMAGES_PATH.length));
}

/** Lets the sweep remove pictures that nobody has, of which a restore knows: bytes without a row would be kept for ever. */
export async function notePictures(client: ClientBase, names: readonly string[]): Promise<void> {
  await client.query(
    `insert into image (address, used_at) select $1 || name, '-infinity' from unnest($2::text[]) as name
     on conflict do nothing`,
    [IMAGES_PATH, names],
  );
}

const isNotBeingRemoved = sql<boolean>`(
  image.removing_since is null
  or image.removing_since < clock_timestamp() - make_interval(secs => ${REMOVAL_MS / 1_000}))`;

/** The only queries on the table of pictures. */
export function createImagesRepository(database: Database) {
  return {
    /**
     * Records that a picture is about to be stored.
     * @returns false while its bytes are being removed: newly stored bytes could be removed as well.
     */
    async note(address: string, now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into image (address, used_at) values (${address}, ${now})
        on conflict (address) do update set used_at = excluded.used_at, removing_since = null
        where ${isNotBeingRemoved}`.execute(database);
      return numAffectedRows === 1n;
    },

    /**
     * Changes a learner's picture, and counts the change for the room in the same statement. A picture being
     * removed counts as missing; a chosen one is not removed.
     */
    async choose(userId: UserId, address: string, now: Date): Promise<ChosenImage> {
      const chosen =
        address === DEFAULT_PROFILE_IMAGE
          ? sql`select ${address}::text as address`
          : sql`update image set used_at = ${now}
              where address = ${address} and removing_since is null returning address`;
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

    /** Lets the next sweep remove a picture if nobody uses it then. */
    async markUnused(address: string): Promise<void> {
      await sql`update image set used_at = '-infinity' where address = ${address}`.execute(
        database,
      );
    },

    /**
     * Begins to remove up to `limit` unused pictures that were last used before `before`; those with a failed
     * earlier removal come last. Their bytes may be removed within `REMOVAL_MS`; afterwards their rows are
     * deleted.
     */
    async beginRemovals(before: Date, limit: number): Promise<string[]> {
      const { rows } = await sql<{ address: string }>`
        update image set removing_since = clock_timestamp() where address in (
          select address from image
          where used_at < ${before} and ${isNotBeingRemoved}
            and not exists (select from ${userCards} as card where card.profile_image = address)
          order by removing_since nulls first, used_at limit ${limit} for update skip locked
        ) and used_at < ${before}
        returning address`.execute(database);
      return rows.map(({ address }) => address);
    },

    /** Deletes the rows of pictures after their bytes. */
    async forget(addresses: readonly string[]): Promise<void> {
      await sql`
        delete from image
        where address = any(${addresses}::text[]) and removing_since is not null`.execute(database);
    },
  };
}

export type ImagesRepository = ReturnType<typeof createImagesRepository>;
