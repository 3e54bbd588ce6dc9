import type { RoomId, UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { RoomsTables } from './rooms.tables.ts';

/** Every opener of a new room takes this lock first, so that two never open one each for one learner. */
const NEW_ROOM_LOCK = 0x6d6f6761;

interface SeatRequest {
  readonly userId: UserId;
  /** Selects the id of at most one room with a free seat, and locks it. */
  readonly choice: RawBuilder<unknown>;
  /** Seats of the room that is opened when `choice` finds none; null opens none. */
  readonly openWithCapacity: number | null;
  readonly now: Date;
}

/**
 * Picks a room, counts the learner in and seats them: one statement, all or nothing. A learner who
 * got a seat meanwhile breaks the primary key, which undoes the count and a new room as well.
 */
async function takeSeat(
  executor: Kysely<RoomsTables>,
  { userId, choice, openWithCapacity, now }: SeatRequest,
): Promise<RoomId | null> {
  const { rows } = await sql<{ room_id: RoomId }>`
    with choice as (${choice}),
    counted as (
      update study_room set occupancy = occupancy + 1
      from choice where study_room.id = choice.id
      returning study_room.id
    ),
    opened as (
      insert into study_room (capacity, occupancy)
      select ${openWithCapacity}::integer, 1
      where ${openWithCapacity !== null} and not exists (select from choice)
      returning id
    )
    insert into seat (user_id, room_id, entered_at, last_seen_at)
    select ${userId}, id, ${now}, ${now}
    from (select id from counted union all select id from opened) as room
    returning room_id`.execute(executor);
  return rows[0]?.room_id ?? null;
}

const fullestFree = sql`
  select id from study_room where occupancy < capacity order by occupancy desc, id limit 1`;

/** The only queries on study rooms and seats. */
export function createRoomsRepository(database: Database) {
  const db = database.withTables<RoomsTables>();
  return {
    async findSeat(userId: UserId): Promise<RoomId | null> {
      const seat = await db
        .selectFrom('seat')
        .select('room_id')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return seat?.room_id ?? null;
    },

    /**
     * The fullest room that nobody else is entering at this moment. When there is none, a new one
     * with `openWithCapacity` seats, or null.
     */
    async takeFreeSeat(
      userId: UserId,
      now: Date,
      openWithCapacity: number | null,
    ): Promise<RoomId | null> {
      const choice = sql`${fullestFree} for update skip locked`;
      return takeSeat(db, { userId, choice, openWithCapacity, now });
    },

    /** Waits for those who are entering, takes what they left free, and opens a new room only if full. */
    async waitForSeat(userId: UserId, now: Date, openWithCapacity: number): Promise<RoomId | null> {
      return db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${NEW_ROOM_LOCK})`.execute(transaction);
        const choice = sql`${fullestFree} for update`;
        return takeSeat(transaction, { userId, choice, openWithCapacity, now });
      });
    },

    /** A seat in one named room; null when it is full or does not exist. */
    async takeSeatIn(userId: UserId, roomId: RoomId, now: Date): Promise<RoomId | null> {
      const choice = sql`
        select id from study_room where id = ${roomId} and occupancy < capacity for update`;
      return takeSeat(db, { userId, choice, openWithCapacity: null, now });
    },

    async roomExists(roomId: RoomId): Promise<boolean> {
      const room = await db
        .selectFrom('study_room')
        .select('id')
        .where('id', '=', roomId)
        .executeTakeFirst();
      return room !== undefined;
    },

    /** Gives up a seat and its place in the count; the room that was left, or null without a seat. */
    async giveUpSeat(userId: UserId): Promise<RoomId | null> {
      const { rows } = await sql<{ room_id: RoomId }>`
        with given_up as (delete from seat where user_id = ${userId} returning room_id)
        update study_room set occupancy = occupancy - 1
        from given_up where study_room.id = given_up.room_id
        returning study_room.id as room_id`.execute(db);
      return rows[0]?.room_id ?? null;
    },

    /** Notes proof of life for learners who are seated. */
    async touchSeats(userIds: readonly UserId[], now: Date): Promise<void> {
      await sql`
        update seat set last_seen_at = ${now} where user_id = any(${userIds}::bigint[])`.execute(
        db,
      );
    },

    /** Gives up every seat without proof of life since `since`; who sat where. */
    async giveUpSilentSeats(since: Date) {
      const { rows } = await sql<{ user_id: UserId; room_id: RoomId }>`
        with given_up as (
          delete from seat where user_id in (
            select user_id from seat where last_seen_at < ${since} for update skip locked
          ) returning user_id, room_id
        ), counted as (
          update study_room set occupancy = occupancy - gone.learners
          from (select room_id, count(*)::int as learners from given_up group by room_id) as gone
          where study_room.id = gone.room_id
        )
        select user_id, room_id from given_up`.execute(db);
      return rows;
    },

    async countLearners() {
      const { rows } = await sql<{ learners: number; rooms: number }>`
        select coalesce(sum(occupancy), 0)::bigint as learners, count(*) as rooms
        from study_room where occupancy > 0`.execute(db);
      return rows[0] ?? { learners: 0, rooms: 0 };
    },
  };
}

export type RoomsRepository = ReturnType<typeof createRoomsRepository>;
