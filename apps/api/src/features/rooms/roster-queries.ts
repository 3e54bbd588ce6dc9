import type { RoomId, UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RoomsTables } from './rooms.tables.ts';

/** Where a learner sits, and in which gathering of that room. */
export interface Seat {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly epoch: number;
}

/** A change of one seat, with its number in the room's roster. */
export interface SeatChange {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly number: number;
}

/** Everybody who sits in a room at one moment. */
export interface Roster {
  readonly roomId: RoomId;
  /** The number of the last change that is included. */
  readonly number: number;
  readonly members: readonly { readonly userId: UserId; readonly isConnected: boolean }[];
}

/**
 * SQL that gives each change its number in its room's roster: of several in one statement the last
 * has the number that `counted` ended with.
 * @param changes the part of the statement with user_id and room_id of each.
 */
function numberedChanges(changes: 'gone' | 'changed'): RawBuilder<unknown> {
  return sql`
    select user_id as "userId", room_id as "roomId",
           roster_number + 1 - row_number() over (partition by room_id order by user_id desc) as number
    from ${sql.table(changes)} join counted on counted.id = room_id
    order by number`;
}

/** Queries about who sits where, for one and for many learners at once. */
export function createRosterQueries(db: Kysely<RoomsTables>) {
  /** Deletes the seats that `chosen` selects, counts their rooms down and ends emptied gatherings. */
  async function deleteSeats(chosen: RawBuilder<unknown>): Promise<SeatChange[]> {
    const { rows } = await sql<SeatChange>`
      with gone as (
        delete from seat where user_id in (${chosen}) returning user_id, room_id
      ), counted as (
        update study_room
        set occupancy = occupancy - gone_here.learners,
            roster_number = roster_number + gone_here.learners,
            epoch = epoch + (occupancy = gone_here.learners)::integer
        from (select room_id, count(*)::integer as learners from gone group by room_id) as gone_here
        where study_room.id = gone_here.room_id
        returning study_room.id, roster_number
      )
      ${numberedChanges('gone')}`.execute(db);
    return rows;
  }

  return {
    /** Gives up a seat; its change, or none without a seat. */
    giveUpSeat: (userId: UserId) => deleteSeats(sql`select ${userId}::bigint`),

    /** Gives up every seat without proof of life since `since`. */
    giveUpSilentSeats: (since: Date) =>
      deleteSeats(
        sql`select user_id from seat where last_seen_at < ${since} for update skip locked`,
      ),

    /** The seats of those who have one. */
    async findSeats(userIds: readonly UserId[]): Promise<Seat[]> {
      const { rows } = await sql<Seat>`
        select seat.user_id as "userId", seat.room_id as "roomId", study_room.epoch
        from seat join study_room on study_room.id = seat.room_id
        where seat.user_id = any(${userIds}::bigint[])`.execute(db);
      return rows;
    },

    /** Notes proof of life for learners who are seated. */
    async touchSeats(userIds: readonly UserId[], now: Date): Promise<void> {
      await sql`
        update seat set last_seen_at = ${now} where user_id = any(${userIds}::bigint[])`.execute(
        db,
      );
    },

    /** Notes who is connected and who is not; the changes are those whose seat said otherwise. */
    async setConnected(userIds: readonly UserId[], isConnected: boolean): Promise<SeatChange[]> {
      const { rows } = await sql<SeatChange>`
        with changed as (
          update seat set is_connected = ${isConnected}
          where user_id = any(${userIds}::bigint[]) and is_connected <> ${isConnected}
          returning user_id, room_id
        ), counted as (
          update study_room set roster_number = roster_number + changed_here.learners
          from (select room_id, count(*)::integer as learners from changed group by room_id) as changed_here
          where study_room.id = changed_here.room_id
          returning study_room.id, roster_number
        )
        ${numberedChanges('changed')}`.execute(db);
      return rows;
    },

    /** Seated learners who count as connected but gave no proof of life since `since`. */
    async findSilent(since: Date): Promise<UserId[]> {
      const rows = await db
        .selectFrom('seat')
        .select('user_id')
        .where('last_seen_at', '<', since)
        .where('is_connected', '=', true)
        .execute();
      return rows.map((row) => row.user_id);
    },

    /** Counts a change of something else that the roster shows of this learner; null without a seat. */
    async countChange(userId: UserId): Promise<SeatChange | null> {
      const { rows } = await sql<SeatChange>`
        update study_room set roster_number = roster_number + 1
        from seat where seat.user_id = ${userId} and study_room.id = seat.room_id
        returning seat.user_id as "userId", study_room.id as "roomId", roster_number as number`.execute(
        db,
      );
      return rows[0] ?? null;
    },

    /** The number of the last change of each room's roster. */
    async findRosterNumbers(roomIds: readonly RoomId[]) {
      const { rows } = await sql<{ roomId: RoomId; number: number }>`
        select id as "roomId", roster_number as number from study_room
        where id = any(${roomIds}::bigint[])`.execute(db);
      return rows;
    },

    /** The rosters of rooms, members in the order they came. */
    async findRosters(roomIds: readonly RoomId[]): Promise<Roster[]> {
      const { rows } = await sql<Roster>`
        select study_room.id as "roomId", roster_number as number,
               coalesce(
                 json_agg(json_build_object('userId', user_id, 'isConnected', is_connected)
                          order by entered_at, user_id) filter (where user_id is not null),
                 '[]'
               ) as members
        from study_room left join seat on seat.room_id = study_room.id
        where study_room.id = any(${roomIds}::bigint[])
        group by study_room.id`.execute(db);
      return rows;
    },
  };
}
