import type { getLiveliness, RoomId, RouteReply, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { hasBlocks } from '../blocks/index.ts';
import { closedRoomsOf } from '../sanctions/index.ts';
import type { RoomsTables } from './rooms.tables.ts';
import { createRosterQueries, type SeatChange } from './roster-queries.ts';
import { freeRoom, hasBlockedPair, isAdmitted, type Seeker, takeSeat } from './take-seat.ts';

/** Every opener of a new room takes this lock first, so that two never open one each for one learner. */
const NEW_ROOM_LOCK = 0x6d6f6761;

/** A room that gave a learner no seat, and the possible reasons. */
export interface RefusingRoom {
  readonly hasFreeSeat: boolean;
  /** Whether a block stands between the learner and somebody seated there, or the host. */
  readonly isBlocked: boolean;
  readonly entry: 'matched' | 'address' | 'approval' | 'invitation' | 'closed';
  /** Whether the host has removed them. */
  readonly isKeptOut: boolean;
  /** Whether the host or an invitation has admitted them. */
  readonly isAdmitted: boolean;
}

export type Liveliness = RouteReply<typeof getLiveliness>;
type Fill = NonNullable<Liveliness['fullest']>;
type RosterQueries = ReturnType<typeof createRosterQueries>;

/**
 * The statements over many seats take their locks in one order; if another one blocks them nevertheless, they
 * are repeated.
 */
function retrying(queries: RosterQueries): RosterQueries {
  return {
    ...queries,
    giveUpSeat: (...given) => retryConflict(() => queries.giveUpSeat(...given)),
    giveUpRoom: (...given) => retryConflict(() => queries.giveUpRoom(...given)),
    giveUpSilentSeats: (...given) => retryConflict(() => queries.giveUpSilentSeats(...given)),
    touchSeats: (...given) => retryConflict(() => queries.touchSeats(...given)),
    setConnected: (...given) => retryConflict(() => queries.setConnected(...given)),
  };
}

/** The queries that take seats and give them up; other features write only their own columns of `seat`. */
export function createRoomsRepository(database: Database) {
  const db = database.withTables<RoomsTables>();
  return {
    ...retrying(createRosterQueries(db)),

    async findSeeker({ userId, sessionId }: Caller): Promise<Seeker> {
      const { rows } = await sql<Omit<Seeker, keyof Caller>>`
        select room_id as "heldRoomId", session_id as "heldBy", ${hasBlocks(userId)} as "hasBlocks",
               ${closedRoomsOf(userId)} as "closedRooms"
        from (select) as one left join seat on user_id = ${userId}`.execute(db);
      const nothing = { heldRoomId: null, heldBy: null, hasBlocks: false, closedRooms: [] };
      return { userId, sessionId, ...(rows[0] ?? nothing) };
    },

    /** Assigns the learner's seat to the log-in of the caller. */
    async holdSeat({ userId, sessionId }: Caller): Promise<void> {
      await sql`update seat set session_id = ${sessionId} where user_id = ${userId}`.execute(db);
    },

    /** The seats that log-ins hold. */
    async findHeldSeats(sessionIds: readonly string[]) {
      const { rows } = await sql<{ userId: UserId; id: number }>`
        select user_id as "userId", id from seat
        where session_id = any(${sessionIds}::uuid[])`.execute(db);
      return rows;
    },

    /**
     * Takes a seat in the fullest room that nobody else is entering at this moment. Without one, in a new
     * room with `openWithCapacity` seats, or null.
     */
    async takeFreeSeat(
      seeker: Seeker,
      now: Date,
      openWithCapacity: number | null,
    ): Promise<SeatChange | null> {
      const choice = sql`${freeRoom(seeker)} for update skip locked`;
      return retryConflict(() => takeSeat(db, { seeker, choice, openWithCapacity, now }));
    },

    /**
     * Waits for concurrent enters, takes a seat left free, and opens a new room only if all are full.
     */
    async waitForSeat(
      seeker: Seeker,
      now: Date,
      openWithCapacity: number,
    ): Promise<SeatChange | null> {
      const choice = sql`${freeRoom(seeker)} for update`;
      return retryConflict(() =>
        db.transaction().execute(async (transaction) => {
          await sql`select pg_advisory_xact_lock(${NEW_ROOM_LOCK})`.execute(transaction);
          return takeSeat(transaction, { seeker, choice, openWithCapacity, now });
        }),
      );
    },

    /** Takes a seat in one named room; null if it is full or missing. */
    async takeSeatIn(seeker: Seeker, roomId: RoomId, now: Date): Promise<SeatChange | null> {
      const choice = sql`${freeRoom(seeker, roomId)} for update`;
      const request = { seeker, choice, openWithCapacity: null, now };
      return retryConflict(() => takeSeat(db, request));
    },

    async hasFreeSeat(seeker: Seeker, roomId: RoomId): Promise<boolean> {
      const { rows } = await freeRoom(seeker, roomId).execute(db);
      return rows.length > 0;
    },

    /** Null for a missing room. */
    async findRefusingRoom(userId: UserId, roomId: RoomId): Promise<RefusingRoom | null> {
      const { rows } = await sql<RefusingRoom>`
        select occupancy < capacity as "hasFreeSeat", ${hasBlockedPair(userId)} as "isBlocked",
               entry, ${userId} = any (kept_out) as "isKeptOut", ${isAdmitted(userId)} as "isAdmitted"
        from study_room where id = ${roomId}`.execute(db);
      return rows[0] ?? null;
    },

    /** Null for a missing room. */
    async findFill(roomId: RoomId): Promise<Fill | null> {
      const { rows } = await sql<Fill>`
        select occupancy as learners, capacity from study_room where id = ${roomId}`.execute(db);
      return rows[0] ?? null;
    },

    /** Connected learners, their rooms, and the fullest room that is matched next. */
    async findLiveliness(): Promise<Liveliness> {
      const { rows } = await sql<Liveliness>`
        select coalesce(sum(occupancy - coalesce(learners, 0)), 0)::bigint as learners,
               count(*) filter (where occupancy > coalesce(learners, 0)) as rooms,
               (select json_build_object('learners', occupancy, 'capacity', capacity)
                from study_room
                where entry = 'matched' and occupancy between 1 and capacity - 1
                order by occupancy desc limit 1) as fullest
        from study_room left join (
          select room_id, count(*) as learners from seat where not is_connected group by room_id
        ) as lost on room_id = id
        where occupancy > 0`.execute(db);
      return rows[0] ?? { learners: 0, rooms: 0, fullest: null };
    },
  };
}

export type RoomsRepository = ReturnType<typeof createRoomsRepository>;
