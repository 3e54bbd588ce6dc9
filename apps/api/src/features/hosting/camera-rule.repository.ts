import { type FocusStatus, type RoomId, SECOND_MS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { partsUntil } from '../focus/index.ts';

/** A seat in a room that requires the camera. */
export interface RuledSeat {
  readonly userId: UserId;
  readonly seatId: number;
  readonly roomId: RoomId;
  readonly visitId: number;
  readonly status: FocusStatus;
  readonly statusSince: Date;
  /** Set away by the rule, not by the learner. */
  readonly isAwayByCamera: boolean;
  /** Whether their realtime connection is open, or a request came without one. */
  readonly isHeard: boolean;
  /** As reported by the learner's page. */
  readonly isPictureBlack: boolean;
  /** Since when no picture is known to arrive; null while one does, or none is required. */
  readonly cameraOffSince: Date | null;
}

/** A sign of life as recent as this is of now: later ones within it are not stored. */
const HEARD_MS = 10 * SECOND_MS;

/** Since when the camera of a seat is off; null for one that is on. */
type CameraChange = Pick<RuledSeat, 'seatId' | 'cameraOffSince'>;

/** The queries on `seat.camera_off_since` and `seat.picture_is_black`. */
export function createCameraRuleRepository(database: Database) {
  return {
    /** The next rooms that require the camera, by their ids. */
    async findRooms(after: RoomId | null, limit: number): Promise<RoomId[]> {
      const { rows } = await sql<{ roomId: RoomId }>`
        select room_id as "roomId" from hosted_room
        where closed_at is null and needs_camera and room_id > ${after ?? 0}
        order by room_id limit ${limit}`.execute(database);
      return rows.map(({ roomId }) => roomId);
    },

    /** The seats in these rooms. */
    async findSeats(roomIds: readonly RoomId[], now: Date): Promise<RuledSeat[]> {
      const { rows } = await sql<RuledSeat>`
        select seat.user_id as "userId", seat.id as "seatId", seat.room_id as "roomId",
               visit.id as "visitId", part.status, part.started_at as "statusSince",
               visit.away_by_camera as "isAwayByCamera",
               seat.is_connected or seat.last_seen_at > ${new Date(now.getTime() - HEARD_MS)} as "isHeard",
               seat.picture_is_black as "isPictureBlack", seat.camera_off_since as "cameraOffSince"
        from seat join visit on visit.user_id = seat.user_id and visit.ended_at is null
        cross join lateral ${partsUntil(sql`${now}::timestamptz`, sql`visit.since`)} as part
        where part.is_last and seat.room_id = any(${roomIds}::bigint[])
        order by seat.room_id, seat.user_id`.execute(database);
      return rows;
    },

    async note(changes: readonly CameraChange[]): Promise<void> {
      await sql`
        with changed as (
          select seat.user_id, change.since
          from unnest(
            ${changes.map(({ seatId }) => seatId)}::bigint[],
            ${changes.map(({ cameraOffSince }) => cameraOffSince)}::timestamptz[]
          ) as change (seat_id, since)
          join seat on seat.id = change.seat_id
          order by seat.user_id for no key update of seat
        )
        update seat set camera_off_since = changed.since
        from changed where seat.user_id = changed.user_id`.execute(database);
    },

    /** Stores a page's report about its own picture; false for a learner without a seat in the room. */
    async notePicture(userId: UserId, roomId: RoomId, isBlack: boolean): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update seat set picture_is_black = ${isBlack}
        where user_id = ${userId} and room_id = ${roomId}`.execute(database);
      return numAffectedRows === 1n;
    },
  };
}

export type CameraRuleRepository = ReturnType<typeof createCameraRuleRepository>;
