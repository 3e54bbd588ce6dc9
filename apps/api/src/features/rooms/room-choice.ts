import type { RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { closedRoomsOf } from '../sanctions/index.ts';

/** The data that decides where a learner may sit. */
export interface Seeker extends Caller {
  /** The room of the learner's existing seat. */
  readonly heldRoomId: RoomId | null;
  /** The seat itself. */
  readonly heldSeatId: number | null;
  /** The log-in that holds it. */
  readonly heldBy: string | null;
  /** Only learners with blocks pay for checking the members of rooms. */
  readonly hasBlocks: boolean;
  /** The rooms that they were removed from and cannot enter again yet. */
  readonly closedRooms: readonly RoomId[];
}

/** How a learner gets into a room in which they do not sit yet. */
type WayIn = 'here' | 'sit' | 'ask';

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
    select from admitted_guest as guest
    where guest.user_id = ${userId} and guest.room_id = study_room.id
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
      select from open_hosted_room as hosted
      where hosted.room_id = study_room.id
        and ${isBlockedPair(userId, sql.ref('hosted.host_id'))}
    )
  )`;
}

/** SQL for "the host of this `study_room` sits there". */
const isHostSeated = sql`exists (
  select from open_hosted_room as hosted
  join seat on seat.room_id = hosted.room_id and seat.user_id = hosted.host_id
  where hosted.room_id = study_room.id
)`;

/**
 * SQL for the way of a learner into a room: `here` if they sit there, `sit` if they may take a seat now, `ask`
 * if its host is there to decide, null otherwise. The same conditions as those of `freeRoom`.
 */
export function wayInto(userId: UserId, roomId: RawBuilder<unknown>): RawBuilder<WayIn | null> {
  return sql`(
    select case
      when exists (
        select from seat where seat.user_id = ${userId} and seat.room_id = study_room.id
      ) then 'here'
      when occupancy >= capacity or ${userId} = any (kept_out)
        or id = any (${closedRoomsOf(userId)}::bigint[]) or ${hasBlockedPair(userId)} then null
      when entry in ('matched', 'address') or entry <> 'closed' and ${isAdmitted(userId)} then 'sit'
      when entry = 'approval' and ${isHostSeated} then 'ask'
    end
    from study_room where study_room.id = ${roomId}
  )`;
}
