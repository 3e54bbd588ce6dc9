import type { RoomId, UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isBlockedPair } from '../blocks/index.ts';
import { beginVisits } from '../visits/index.ts';
import type { RoomsTables } from './rooms.tables.ts';

/** A seat that was just taken, and the number of that change in the room's roster. */
export interface TakenSeat {
  readonly roomId: RoomId;
  readonly rosterNumber: number;
}

/** Who looks for a seat. */
interface Seeker {
  readonly userId: UserId;
  /** Only who blocks or is blocked pays for looking at who sits where. */
  readonly hasBlocks: boolean;
}

interface SeatRequest {
  readonly seeker: Seeker;
  /** Selects the id of at most one room with a free seat, and locks it. */
  readonly choice: RawBuilder<unknown>;
  /** Seats of the room that is opened when `choice` finds none; null opens none. */
  readonly openWithCapacity: number | null;
  readonly now: Date;
}

const noRoom = sql`select null::bigint as id where false`;

/**
 * Takes a seat in the chosen room, else in a new one; null when there is neither.
 *
 * A statement that waits for a room's lock sees the seats as they were before it waited. For a learner
 * with blocks the room is therefore locked by one statement and looked at by the next one of the same
 * transaction, which sees whoever sat down meanwhile.
 */
export async function takeSeat(
  db: Kysely<RoomsTables>,
  request: SeatRequest,
): Promise<TakenSeat | null> {
  if (!request.seeker.hasBlocks) return insertSeat(db, request);
  if (!db.isTransaction) {
    return db.transaction().execute((transaction) => takeSeat(transaction, request));
  }
  for (;;) {
    const { rows } = await sql<{ id: RoomId }>`${request.choice}`.execute(db);
    const [room] = rows;
    if (!room) return insertSeat(db, { ...request, choice: noRoom });
    const choice = namedFreeRoom(request.seeker, room.id);
    const seat = await insertSeat(db, { ...request, choice, openWithCapacity: null });
    if (seat) return seat;
  }
}

/**
 * Picks a room, counts the learner in, seats them and begins their visit: one statement, all or nothing. A learner who
 * got a seat meanwhile breaks the primary key, which undoes the count and a new room as well.
 */
async function insertSeat(
  db: Kysely<RoomsTables>,
  { seeker, choice, openWithCapacity, now }: SeatRequest,
): Promise<TakenSeat | null> {
  const { rows } = await sql<{ id: RoomId; roster_number: number }>`
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
      insert into seat (user_id, room_id, entered_at, last_seen_at)
      select ${seeker.userId}, id, ${now}, ${now} from room
      returning user_id, room_id, entered_at
    ),
    ${beginVisits(sql`seated`)}
    select id, roster_number from room`.execute(db);
  const [room] = rows;
  return room ? { roomId: room.id, rosterNumber: room.roster_number } : null;
}

/** SQL for "nobody there blocks this learner or is blocked by them". */
function isPeaceful(userId: UserId): RawBuilder<boolean> {
  return sql`not exists (
    select from seat
    where seat.room_id = study_room.id and ${isBlockedPair(userId, sql.ref('seat.user_id'))}
  )`;
}

/** SQL that finds the fullest room with a free seat, to be followed by how to lock it. */
export function fullestFreeRoom({ userId, hasBlocks }: Seeker): RawBuilder<unknown> {
  return sql`
    select id from study_room
    where occupancy < capacity ${hasBlocks ? sql`and ${isPeaceful(userId)}` : sql``}
    order by occupancy desc, id limit 1`;
}

/** SQL that locks one named room if it has a free seat. */
export function namedFreeRoom(seeker: Seeker, roomId: RoomId): RawBuilder<unknown> {
  return sql`${freeRoom(seeker, roomId)} for update`;
}

/** Selects the id of one named room if it has a free seat for the learner. */
export function freeRoom(seeker: Seeker, roomId: RoomId): RawBuilder<unknown> {
  return sql`
    select id from study_room
    where id = ${roomId} and occupancy < capacity
      ${seeker.hasBlocks ? sql`and ${isPeaceful(seeker.userId)}` : sql``}`;
}
