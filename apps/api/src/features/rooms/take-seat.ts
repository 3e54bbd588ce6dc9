import type { RoomId, UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isBlockedPair } from '../blocks/index.ts';
import type { RoomsTables } from './rooms.tables.ts';
import type { SeatCompanions } from './seat-companions.ts';

/** A seat that was just taken, and the number of that change in the room's roster. */
export interface TakenSeat {
  readonly roomId: RoomId;
  readonly rosterNumber: number;
}

interface SeatRequest {
  readonly userId: UserId;
  /** Selects the id of at most one room with a free seat, and locks it. */
  readonly choice: RawBuilder<unknown>;
  /** Seats of the room that is opened when `choice` finds none; null opens none. */
  readonly openWithCapacity: number | null;
  readonly now: Date;
  readonly companions: SeatCompanions;
}

/**
 * Picks a room, counts the learner in and seats them: one statement, all or nothing. A learner who
 * got a seat meanwhile breaks the primary key, which undoes the count and a new room as well.
 */
export async function takeSeat(
  executor: Kysely<RoomsTables>,
  { userId, choice, openWithCapacity, now, companions }: SeatRequest,
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
      select ${userId}, id, ${now}, ${now} from room
      returning user_id, room_id, entered_at
    ),
    ${companions.onTaken(sql`seated`)}
    select id, roster_number from room`.execute(executor);
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

interface Seeker {
  readonly userId: UserId;
  /** Only who blocks or is blocked pays for looking at who sits where. */
  readonly hasBlocks: boolean;
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
  return sql`
    select id from study_room
    where id = ${roomId} and occupancy < capacity
      ${seeker.hasBlocks ? sql`and ${isPeaceful(seeker.userId)}` : sql``}
    for update`;
}
