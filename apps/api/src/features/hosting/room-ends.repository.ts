import type { RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  type Database,
  deleteInSlices,
  retryConflict,
  SLICE_ROWS,
} from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';

/** A learner still seated in a closed room, or after their removal. */
interface Leaver {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly seatId: number;
  readonly isClosed: boolean;
}

/**
 * SQL that ends the rooms locked by `chosen` (room_id): nobody can enter any more, and the host's admissions
 * and removals are deleted. To be followed by freeing the seats.
 */
export const endRooms = (
  chosen: RawBuilder<unknown>,
  now: Date,
): RawBuilder<{ roomId: RoomId }> => sql`
  with chosen as (${chosen}), shut as (
    update study_room set entry = 'closed', kept_out = '{}'
    from chosen where study_room.id = chosen.room_id
  ), forgotten as (
    delete from room_guest using chosen where room_guest.room_id = chosen.room_id
  )
  update hosted_room set closed_at = coalesce(closed_at, ${now}), empty_since = null, host_absent_since = null
  from chosen where hosted_room.room_id = chosen.room_id
  returning hosted_room.room_id as "roomId"`;

/** SQL for "this learner hosts no room of an evening". */
export const hasNoRoom = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`not exists (
  select from hosted_room as other
  where other.host_id = ${userId} and other.closed_at is null and not other.is_standing
)`;

/** The queries that end hosted rooms, and pass on the rights of absent hosts. */
export function createRoomEndsRepository(database: Database) {
  return {
    /** Ends a room by order of its host; repeatable, as the answer may be lost. False for others. */
    async close(hostId: UserId, roomId: RoomId, now: Date): Promise<boolean> {
      const chosen = sql`
        select room_id from hosted_room
        where room_id = ${roomId} and host_id = ${hostId} and not is_standing for update`;
      const { rows } = await retryConflict(() => endRooms(chosen, now).execute(database));
      return rows.length > 0;
    },

    /** Records since when open rooms are empty, and since when their hosts are absent. */
    async noteAbsences(now: Date): Promise<void> {
      await sql`
        with present as (
          select h.room_id, r.occupancy = 0 as is_empty,
                 not exists (select from seat where seat.user_id = h.host_id
                             and seat.room_id = h.room_id) as is_hostless
          from hosted_room as h join study_room as r on r.id = h.room_id
          where h.closed_at is null and not h.is_standing
        )
        update hosted_room
        set empty_since = case when is_empty then coalesce(empty_since, ${now}) end,
            host_absent_since = case when is_hostless then coalesce(host_absent_since, ${now}) end
        from present
        where hosted_room.room_id = present.room_id
          and (is_empty <> (empty_since is not null)
               or is_hostless <> (host_absent_since is not null))`.execute(database);
    },

    /** Open rooms with a host absent since `since`, or deleted. */
    async findHostless(since: Date): Promise<RoomId[]> {
      const { rows } = await sql<{ roomId: RoomId }>`
        select room_id as "roomId" from hosted_room
        where closed_at is null and not is_standing
          and (host_id is null or host_absent_since < ${since})`.execute(database);
      return rows.map(({ roomId }) => roomId);
    },

    /**
     * Passes the rights of such a room to the longest seated learner without a room of their own: first to those
     * who have not declined.
     */
    async passOn(roomId: RoomId, since: Date): Promise<SeatChange | null> {
      const { rows } = await sql<SeatChange>`
        with longest as (
          select user_id from seat
          where room_id = ${roomId} and ${hasNoRoom(sql.ref('seat.user_id'))}
          order by host_offer is not distinct from 'declined', entered_at, user_id limit 1 for key share
        ), passed as (
          update hosted_room set host_id = user_id, host_absent_since = null from longest
          where room_id = ${roomId} and closed_at is null and not is_standing
            and (host_id is null or host_absent_since < ${since})
          returning host_id
        ),
        ${countOneUpdate(sql<UserId>`(select host_id from passed)`)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
        database,
      );
      return rows[0] ?? null;
    },

    /** Ends rooms that have been empty since `since`, except those that a learner is just entering. */
    async closeEmpty(since: Date, now: Date): Promise<void> {
      const chosen = sql`
        select hosted_room.room_id from hosted_room join study_room on study_room.id = room_id
        where closed_at is null and empty_since < ${since} and occupancy = 0
        limit ${SLICE_ROWS} for update skip locked`;
      let ended: number;
      do ended = (await retryConflict(() => endRooms(chosen, now).execute(database))).rows.length;
      while (ended === SLICE_ROWS);
    },

    /** Learners with a seat that they must leave, because a process ended before it could free it. */
    async findLeavers(closedSince: Date): Promise<Leaver[]> {
      const { rows } = await sql<Leaver>`
        select seat.user_id as "userId", seat.room_id as "roomId", seat.id as "seatId",
               closed_at is not null as "isClosed"
        from hosted_room join study_room on study_room.id = hosted_room.room_id
             join seat on seat.room_id = hosted_room.room_id
        where (closed_at is null and seat.user_id = any (kept_out)) or closed_at > ${closedSince}`.execute(
        database,
      );
      return rows;
    },

    /** Deletes the data of rooms that ended before `before`. */
    deleteOld: (before: Date) =>
      deleteInSlices(database, 'hosted_room', sql`closed_at < ${before}`),
  };
}

export type RoomEndsRepository = ReturnType<typeof createRoomEndsRepository>;
