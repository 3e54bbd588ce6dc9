import type { RoomId, UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { beginVisits } from '../visits/index.ts';
import type { RoomsTables } from './rooms.tables.ts';
import type { SeatChange } from './roster-queries.ts';

/** The data that decides where a learner may sit. */
export interface Seeker extends Caller {
  /** The room of the learner's existing seat. */
  readonly heldRoomId: RoomId | null;
  /** The log-in that holds it. */
  readonly heldBy: string | null;
  /** Only learners with blocks pay for checking the members of rooms. */
  readonly hasBlocks: boolean;
  /** The rooms that they were removed from and cannot enter again yet. */
  readonly closedRooms: readonly RoomId[];
}

interface SeatRequest {
  readonly seeker: Seeker;
  /** Selects the id of at most one room with a free seat, and locks it. */
  readonly choice: RawBuilder<unknown>;
  /** Seats of the room that is opened if `choice` finds none; null opens none. */
  readonly openWithCapacity: number | null;
  readonly now: Date;
}

const noRoom = sql`select null::bigint as id where false`;

/**
 * Takes a seat in the chosen room, or in a new one; null if there is neither.
 *
 * A statement that waits for a room's lock sees the seats as they were before it waited. For a learner with
 * blocks the room is therefore locked by one statement and checked by the next one of the same transaction,
 * which sees members who arrived meanwhile.
 */
export async function takeSeat(
  db: Kysely<RoomsTables>,
  request: SeatRequest,
): Promise<SeatChange | null> {
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
  db: Kysely<RoomsTables>,
  { seeker, choice, openWithCapacity, now }: SeatRequest,
): Promise<SeatChange | null> {
  const { rows } = await sql<SeatChange>`
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
      returning user_id, room_id, entered_at
    ),
    ${beginVisits(sql`seated`)}
    select ${seeker.userId}::bigint as "userId", id as "roomId", roster_number as number
    from room`.execute(db);
  return rows[0] ?? null;
}

/**
 * SQL that finds the fullest room with a free seat that random matching may fill, or a named one, to be
 * followed by a locking clause. A statement that waited for a room's lock checks the new `entry` and
 * `kept_out`: nobody gets into a room that was closed, or that they were removed from, meanwhile.
 */
export function freeRoom(seeker: Seeker, roomId?: RoomId): RawBuilder<unknown> {
  const { userId, hasBlocks, closedRooms } = seeker;
  const isOpen =
    roomId === undefined
      ? sql`entry = 'matched'`
      : sql`id = ${roomId} and entry <> 'closed'
            and (entry in ('matched', 'address') or ${isAdmitted(userId)})`;
  const hasNoBlockedPair = sql`and not ${hasBlockedPair(userId)}`;
  const isAllowed = sql`and id <> all(${closedRooms}::bigint[])`;
  return sql`
    select id from study_room
    where occupancy < capacity and ${isOpen} and ${userId} <> all (kept_out)
      ${hasBlocks ? hasNoBlockedPair : sql``} ${closedRooms.length > 0 ? isAllowed : sql``}
    order by occupancy desc, id limit 1`;
}

/** SQL for "the host, or the invitation, has admitted the learner to this `study_room`". */
export function isAdmitted(userId: UserId): RawBuilder<boolean> {
  return sql`exists (
    select from room_guest
    where room_guest.user_id = ${userId} and room_guest.room_id = study_room.id
      and room_guest.status = 'admitted'
  )`;
}

/**
 * SQL for "a block stands between the learner and the host of this `study_room`, or somebody seated there":
 * an absent host returns to an unchanged room.
 */
export function hasBlockedPair(userId: UserId): RawBuilder<boolean> {
  return sql`(
    exists (
      select from seat
      where seat.room_id = study_room.id and ${isBlockedPair(userId, sql.ref('seat.user_id'))}
    ) or exists (
      select from hosted_room
      where hosted_room.room_id = study_room.id and closed_at is null
        and ${isBlockedPair(userId, sql.ref('hosted_room.host_id'))}
    )
  )`;
}
