import type { RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countChangedSeats, type SeatChange } from '../rooms/index.ts';
import { endRooms } from './room-ends.repository.ts';

/** A room that stays, shown by the name and goal of its group. */
interface NewGroupRoom {
  readonly name: string;
  readonly goal: string;
  readonly capacity: number;
  readonly invitation: string;
  readonly now: Date;
}

/** Makes the room of a group, in the transaction that makes the group. */
export async function openGroupRoom(db: Database, room: NewGroupRoom): Promise<RoomId> {
  const { rows } = await sql<{ roomId: RoomId }>`
    with room as (
      insert into study_room (capacity, entry) values (${room.capacity}, 'group') returning id
    )
    insert into hosted_room (room_id, name, goal, is_public, needs_approval, needs_camera, invitation,
                             opened_at, is_standing)
    select id, ${room.name}, ${room.goal}, false, false, false, ${room.invitation}, ${room.now}, true
    from room returning room_id as "roomId"`.execute(db);
  return rows[0]?.roomId as RoomId;
}

/** Renames the room of a group, in the transaction that renames the group. */
export async function renameGroupRoom(
  db: Database,
  roomId: RoomId,
  { name, goal }: Pick<NewGroupRoom, 'name' | 'goal'>,
): Promise<void> {
  await sql`
    update hosted_room set name = ${name}, goal = ${goal}
    where room_id = ${roomId} and is_standing`.execute(db);
}

/**
 * Keeps a learner who is just entering out of the room of a group, in the transaction that ends their membership:
 * a statement that waits for the room reads this column again, but not the members. Their seat is to be freed
 * afterwards.
 */
export async function exclude(db: Database, roomId: RoomId, userId: UserId): Promise<void> {
  await sql`
    with guest as (delete from room_guest where room_id = ${roomId} and user_id = ${userId})
    update study_room set kept_out = array_append(kept_out, ${userId}::bigint)
    where id = ${roomId} and entry = 'group' and ${userId} <> all (kept_out)`.execute(db);
}

/** Opens the room again to a learner after joining its group. */
export async function liftExclusion(db: Database, roomId: RoomId, userId: UserId): Promise<void> {
  await sql`
    update study_room set kept_out = array_remove(kept_out, ${userId}::bigint)
    where id = ${roomId} and ${userId} = any (kept_out)`.execute(db);
}

/** Ends the room of a group that ends. */
export async function endGroupRoom(db: Database, roomId: RoomId, now: Date): Promise<void> {
  const chosen = sql`
    select room_id from hosted_room where room_id = ${roomId} and is_standing for update`;
  await endRooms(chosen, now).execute(db);
}

/** SQL for whether the host of `hosted_room` may be so still: a seated leader. */
const isHostPresent = sql`exists (
  select from seat join group_leader as leader using (room_id, user_id)
  where seat.room_id = hosted.room_id and seat.user_id = hosted.host_id
)`;

/** SQL for the leader seated longest in a room. */
const longestLeader = sql`(
  select seat.user_id from seat join group_leader as leader using (room_id, user_id)
  where seat.room_id = hosted.room_id order by seat.entered_at, seat.user_id limit 1
)`;

/** Rooms of groups after their host has gone, or a leader has come. */
const changingHosts: RawBuilder<unknown> = sql`
  select hosted.room_id, ${longestLeader} as leader_id
  from hosted_room as hosted join study_room as room on room.id = hosted.room_id
  where hosted.is_standing and hosted.closed_at is null
    and (room.occupancy > 0 or hosted.host_id is not null)
    and not ${isHostPresent}
    and (hosted.host_id is not null or ${longestLeader} is not null)`;

/** The only queries on hosts of rooms of groups. */
export function createGroupRoomsRepository(database: Database) {
  return {
    /**
     * Gives the rooms of groups to their seated leaders, and takes them from absent ones.
     * @returns the new hosts.
     */
    async settleHosts(): Promise<SeatChange[]> {
      const settle = sql<SeatChange>`
        with changing as (${changingHosts}), settled as (
          update hosted_room set host_id = leader_id from changing
          where hosted_room.room_id = changing.room_id
          returning hosted_room.room_id, leader_id
        ), changed as (
          select seat.user_id, seat.room_id from seat join settled
            on seat.user_id = leader_id and seat.room_id = settled.room_id
        ),
        ${countChangedSeats}`;
      const { rows } = await retryConflict(() => settle.execute(database));
      return rows;
    },

    /** Forgets the excluded learners, once none of them sits there. */
    async forgetExcluded(): Promise<void> {
      await sql`
        update study_room set kept_out = '{}'
        where entry = 'group' and kept_out <> '{}' and not exists (
          select from seat where seat.room_id = study_room.id and seat.user_id = any (kept_out)
        )`.execute(database);
    },
  };
}

export type GroupRoomsRepository = ReturnType<typeof createGroupRoomsRepository>;
