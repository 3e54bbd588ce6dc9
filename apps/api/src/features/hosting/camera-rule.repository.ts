import type { RoomId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** Somebody whose camera is off in a room that asks for it. */
export interface CameraOff {
  readonly userId: UserId;
  readonly seatId: number;
  readonly since: Date;
}

/** The queries on `seat.camera_off_since`. */
export function createCameraRuleRepository(database: Database) {
  return {
    /** Rooms that ask for the camera, with somebody in them. */
    async findRooms(): Promise<RoomId[]> {
      const { rows } = await sql<{ roomId: RoomId }>`
        select room_id as "roomId" from hosted_room join study_room on study_room.id = room_id
        where closed_at is null and needs_camera and occupancy > 0`.execute(database);
      return rows.map(({ roomId }) => roomId);
    },

    /**
     * Notes whose camera is off, since when; who takes a break or is away is excused, and counts from its
     * end. Whoever is not in `seatIds`, the seats with a camera, has it off.
     */
    async note(roomId: RoomId, seatIds: readonly number[], now: Date): Promise<CameraOff[]> {
      await sql`
        with chosen as (
          select seat.user_id,
                 seat.id = any (${seatIds}::bigint[]) or visit.status in ('pause', 'away') as is_fine
          from seat join visit on visit.user_id = seat.user_id and visit.ended_at is null
          where seat.room_id = ${roomId}
          order by seat.user_id for no key update of seat
        )
        update seat set camera_off_since = case when not is_fine then ${now}::timestamptz end
        from chosen
        where seat.user_id = chosen.user_id and is_fine = (camera_off_since is not null)`.execute(
        database,
      );
      const { rows } = await sql<CameraOff>`
        select user_id as "userId", id as "seatId", camera_off_since as since
        from seat where room_id = ${roomId} and camera_off_since is not null`.execute(database);
      return rows;
    },

    /** Starts counting anew: nothing is known of the cameras of a room. */
    async forget(roomId: RoomId): Promise<void> {
      await sql`
        update seat set camera_off_since = null
        where room_id = ${roomId} and camera_off_since is not null`.execute(database);
    },
  };
}

export type CameraRuleRepository = ReturnType<typeof createCameraRuleRepository>;
