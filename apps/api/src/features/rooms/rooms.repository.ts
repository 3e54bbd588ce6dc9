import type { getLiveliness, RoomId, RouteReply, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { hasBlocks } from '../blocks/index.ts';
import { closedRoomsOf } from '../sanctions/index.ts';
import { freeRoom, hasBlockedPair, isAdmitted, type Seeker } from './room-choice.ts';
import { createRosterQueries, type SeatChange, type VisitsOfSeats } from './roster-queries.ts';

/** Every opener of a new room takes this lock first, so that two never open one each for one learner. */
const NEW_ROOM_LOCK = 0x6d6f6761;

/** A seat that was just taken. */
export interface TakenSeat extends SeatChange {
  readonly seatId: number;
}

interface SeatRequest {
  readonly visits: VisitsOfSeats;
  readonly seeker: Seeker;
  /** Selects the id of at most one room with a free seat, and locks it. */
  readonly choice: RawBuilder<unknown>;
  /** Seats of the room that is opened if `choice` finds none; null opens none. */
  readonly openWithCapacity: number | null;
  readonly now: Date;
}

/** A room that gave a learner no seat, and the possible reasons. */
export interface RefusingRoom {
  readonly hasFreeSeat: boolean;
  /** Whether a block stands between the learner and somebody seated there, or the host. */
  readonly isBlocked: boolean;
  readonly entry: 'matched' | 'address' | 'approval' | 'invitation' | 'group' | 'closed';
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
export function createRoomsRepository(db: Database, visits: VisitsOfSeats) {
  return {
    ...retrying(createRosterQueries(db, visits)),

    async findSeeker({ userId, sessionId }: Caller): Promise<Seeker> {
      const { rows } = await sql<Omit<Seeker, keyof Caller>>`
        select room_id as "heldRoomId", id as "heldSeatId", session_id as "heldBy",
               ${hasBlocks(userId)} as "hasBlocks", ${closedRoomsOf(userId)} as "closedRooms"
        from (select) as one left join seat on user_id = ${userId}`.execute(db);
      const [found] = rows;
      if (!found) throw new Error('a statement of one row gave none');
      return { userId, sessionId, ...found };
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
    ): Promise<TakenSeat | null> {
      const choice = sql`${freeRoom(seeker)} for update skip locked`;
      return retryConflict(() => takeSeat(db, { visits, seeker, choice, openWithCapacity, now }));
    },

    /**
     * Waits for concurrent enters, takes a seat left free, and opens a new room only if all are full.
     */
    async waitForSeat(
      seeker: Seeker,
      now: Date,
      openWithCapacity: number,
    ): Promise<TakenSeat | null> {
      const choice = sql`${freeRoom(seeker)} for update`;
      return retryConflict(() =>
        db.transaction().execute(async (transaction) => {
          await sql`select pg_advisory_xact_lock(${NEW_ROOM_LOCK})`.execute(transaction);
          return takeSeat(transaction, { visits, seeker, choice, openWithCapacity, now });
        }),
      );
    },

    /** Takes a seat in one named room; null if it is full or missing. */
    async takeSeatIn(seeker: Seeker, roomId: RoomId, now: Date): Promise<TakenSeat | null> {
      const choice = sql`${freeRoom(seeker, roomId)} for update`;
      const request = { visits, seeker, choice, openWithCapacity: null, now };
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
        with room as (
          select entry, occupancy, capacity, occupancy - coalesce(lost.learners, 0) as learners
          from study_room left join (
            select room_id, count(*) as learners from seat where not is_connected group by room_id
          ) as lost on room_id = id
          where occupancy > 0
        )
        select coalesce(sum(learners), 0)::bigint as learners,
               count(*) filter (where learners > 0) as rooms,
               (select json_build_object('learners', learners, 'capacity', capacity)
                from room
                where entry = 'matched' and occupancy < capacity and learners > 0
                order by occupancy desc limit 1) as fullest
        from room`.execute(db);
      return rows[0] ?? { learners: 0, rooms: 0, fullest: null };
    },
  };
}

export type RoomsRepository = ReturnType<typeof createRoomsRepository>;

const noRoom = sql`select null::bigint as id where false`;

/**
 * Takes a seat in the chosen room, or in a new one; null if there is neither.
 *
 * A statement that waits for a room's lock sees the seats as they were before it waited. For a learner with
 * blocks the room is therefore locked by one statement and checked by the next one of the same transaction,
 * which sees members who arrived meanwhile.
 */
export async function takeSeat(db: Database, request: SeatRequest): Promise<TakenSeat | null> {
  if (!request.seeker.hasBlocks) return insertSeat(db, request);
  if (!db.isTransaction) {
    return db.transaction().execute((transaction) => takeSeat(transaction, request));
  }
  for (;;) {
    const { rows } = await sql<{ id: RoomId }>`${request.choice}`.execute(db);
    const [room] = rows;
    if (!room) return insertSeat(db, { ...request, choice: noRoom });
    const choice = sql`${freeRoom(request.seeker, room.id)} for update`;
    const seat = await insertSeat(db, { ...request, choice, openWithCapacity: null });
    if (seat) return seat;
  }
}

/**
 * Picks a room, counts the learner, seats them and starts their visit in one statement, all or nothing. A
 * learner who got a seat meanwhile violates the primary key, which undoes the count and a new room.
 */
async function insertSeat(
  db: Database,
  { visits, seeker, choice, openWithCapacity, now }: SeatRequest,
): Promise<TakenSeat | null> {
  const { rows } = await sql<TakenSeat>`
    with choice as (${choice}),
    counted as (
      update study_room set occupancy = occupancy + 1, roster_number = roster_number + 1
      from choice where study_room.id = choice.id
      returning study_room.id, roster_number
    ),
    opened as (
      insert into study_room (capacity, occupancy, roster_number)
      select ${openWithCapacity}::integer, 1, 1
      where ${openWithCapacity !== null} and not exists (select from choice)
      returning id, roster_number
    ),
    room as (select * from counted union all select * from opened),
    seated as (
      insert into seat (user_id, room_id, session_id, entered_at, last_seen_at)
      select ${seeker.userId}, id, ${seeker.sessionId}::uuid, ${now}, ${now} from room
      returning id, user_id, room_id, entered_at
    ),
    ${visits.begin(sql`seated`)}
    select user_id as "userId", room_id as "roomId", roster_number as number, seated.id as "seatId"
    from room join seated on room_id = room.id`.execute(db);
  return rows[0] ?? null;
}
