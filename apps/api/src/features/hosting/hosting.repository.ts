import {
  type listHostedRooms,
  ROOMS_PER_PAGE,
  type RoomAbout,
  type RoomCard,
  type RoomId,
  type RoomPlan,
  type RouteInput,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { userCards } from '../users/index.ts';

/** The rooms that are looked for; `text` is compared with name and goal. */
export type RoomQuery = RouteInput<typeof listHostedRooms>['query'];

/** The stored data of a new room. */
interface NewRoom extends RoomPlan {
  readonly hostId: UserId;
  readonly invitation: string;
  readonly now: Date;
}

/** The columns of a RoomCard, from `hostedRooms`. */
const cardColumns = sql`
  h.room_id as "roomId", h.name, h.goal, h.category, h.host_id as "hostId", u.nickname as "hostName",
  r.occupancy as learners, r.capacity, h.is_public as "isPublic",
  h.needs_approval as "needsApproval", h.needs_camera as "needsCamera", h.is_standing as "isGroup"`;
const hostedRooms = sql`
  hosted_room as h join study_room as r on r.id = h.room_id left join ${userCards} as u on u.user_id = h.host_id`;

/** The kind of entry to a room with these rules (`entry` of study_room). */
function entryOf({ isPublic, needsApproval, needsCamera }: RoomPlan): string {
  if (!isPublic) return 'invitation';
  if (needsApproval) return 'approval';
  return needsCamera ? 'address' : 'matched';
}

/** SQL for "this room was opened by a learner", even if it is closed. */
export const isHostedRoom = (roomId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  exists (select from hosted_room where hosted_room.room_id = ${roomId})`;

/** SQL for "this learner is the host of this room, which is open". */
const isHosting = (hostId: UserId, roomId: RoomId): RawBuilder<boolean> => sql`
  hosted_room.room_id = ${roomId} and hosted_room.host_id = ${hostId}
  and hosted_room.closed_at is null`;

/** SQL for "this room is one of an evening": its host may hand it over and end it. */
const isOfEvening = sql`not hosted_room.is_standing`;

/** SQL that locks an open room of this host: its host is the same until the transaction ends. */
const lockHosted = (hostId: UserId, roomId: RoomId): RawBuilder<unknown> => sql`
  select room_id from hosted_room where ${isHosting(hostId, roomId)} for no key update`;

/** Queries that find hosted rooms. */
function createFinders(database: Database) {
  async function findCard(condition: RawBuilder<unknown>): Promise<RoomCard | null> {
    const { rows } = await sql<RoomCard>`
      select ${cardColumns} from ${hostedRooms} where h.closed_at is null and ${condition}`.execute(
      database,
    );
    return rows[0] ?? null;
  }

  return {
    /** Opens a room; violates `hosted_room_host_open` if its host has an open one. */
    async open(room: NewRoom): Promise<RoomId> {
      const { rows } = await sql<{ roomId: RoomId }>`
        with room as (
          insert into study_room (capacity, entry) values (${room.capacity}, ${entryOf(room)})
          returning id
        ), hosted as (
          insert into hosted_room (room_id, host_id, name, goal, category, is_public, needs_approval,
                                   needs_camera, invitation, opened_at)
          select id, ${room.hostId}, ${room.name}, ${room.goal}, ${room.category}, ${room.isPublic},
                 ${room.needsApproval}, ${room.needsCamera}, ${room.invitation}, ${room.now}
          from room
        ), guest as (
          insert into room_guest (user_id, room_id, status, asked_at, seen_at)
          select ${room.hostId}, id, 'admitted', ${room.now}, ${room.now} from room
        )
        select id as "roomId" from room`.execute(database);
      return rows[0]?.roomId as RoomId;
    },

    findOpen: (roomId: RoomId) => findCard(sql`h.room_id = ${roomId}`),
    findOpenOf: (hostId: UserId) => findCard(sql`h.host_id = ${hostId} and not h.is_standing`),
    findByInvitation: (invitation: string) =>
      findCard(sql`h.invitation = ${invitation} and not h.is_standing`),

    /**
     * A page of the public rooms that a learner may see: without rooms that they were removed from, and those
     * with a block between them and the host, or where the absent host would have to let them in. The fullest
     * with a free seat first, the full ones last.
     */
    async findPublic(userId: UserId, { page, category, text = '' }: RoomQuery) {
      const { rows } = await sql<RoomCard & { total: number }>`
        select ${cardColumns}, count(*) over ()::integer as total from ${hostedRooms}
        where h.closed_at is null and h.is_public and ${userId} <> all (r.kept_out)
          and not ${isBlockedPair(userId, sql.ref('h.host_id'))}
          and (${category ?? null}::text is null or h.category = ${category ?? null})
          and strpos(lower(h.name || ' ' || h.goal), lower(${text})) > 0
          and (not h.needs_approval or h.host_id = ${userId} or exists (
            select from seat where seat.user_id = h.host_id and seat.room_id = h.room_id))
        order by r.occupancy >= r.capacity, r.occupancy desc, h.room_id desc
        limit ${ROOMS_PER_PAGE} offset ${(page - 1) * ROOMS_PER_PAGE}`.execute(database);
      const rooms = rows.map(({ total: _, ...card }) => card);
      return { rooms, total: rows[0]?.total ?? 0 };
    },

    /** The data of hosted rooms shown in presence. */
    async findAbouts(roomIds: readonly RoomId[]): Promise<ReadonlyMap<RoomId, RoomAbout>> {
      const { rows } = await sql<RoomAbout & { roomId: RoomId }>`
        select room_id as "roomId", name, goal, host_id as "hostId", is_public as "isPublic",
               needs_approval as "needsApproval", needs_camera as "needsCamera",
               is_standing as "isGroup"
        from hosted_room where room_id = any(${roomIds}::bigint[]) and closed_at is null`.execute(
        database,
      );
      return new Map(rows.map(({ roomId, ...about }) => [roomId, about]));
    },
  };
}

/** Entering and listing search these for the learner: a room keeps the latest. */
const KEPT_OUT_MAX = 500;

/** The queries on hosted rooms; of `study_room` they write `entry` and `kept_out`. */
export function createHostingRepository(database: Database) {
  return {
    ...createFinders(database),

    /** The kind of a room, for its host; null for anybody else. */
    async findHosting(hostId: UserId, roomId: RoomId): Promise<'evening' | 'group' | null> {
      const { rows } = await sql<{ isOfEvening: boolean }>`
        select ${isOfEvening} as "isOfEvening" from hosted_room
        where ${isHosting(hostId, roomId)}`.execute(database);
      const [room] = rows;
      if (!room) return null;
      return room.isOfEvening ? 'evening' : 'group';
    },

    /** The invitation of a room, for its host only. */
    async findInvitation(hostId: UserId, roomId: RoomId): Promise<string | null> {
      const { rows } = await sql<{ invitation: string }>`
        select invitation from hosted_room where ${isHosting(hostId, roomId)}`.execute(database);
      return rows[0]?.invitation ?? null;
    },

    async replaceInvitation(hostId: UserId, roomId: RoomId, invitation: string): Promise<void> {
      await sql`
        update hosted_room set invitation = ${invitation} where ${isHosting(hostId, roomId)}
      `.execute(database);
    },

    /**
     * Admits a learner whom the host of a room of an evening invites; a removed one stays removed. Nothing for
     * anybody else, and in the room of a group, which is for its members.
     */
    async admit(hostId: UserId, roomId: RoomId, userId: UserId, now: Date): Promise<void> {
      await sql`
        insert into room_guest (user_id, room_id, status, asked_at, seen_at)
        select ${userId}, room_id, 'admitted', ${now}, ${now} from hosted_room
        where ${isHosting(hostId, roomId)} and ${isOfEvening}
        on conflict (user_id, room_id) do update set status = 'admitted'
        where room_guest.status <> 'removed'`.execute(database);
    },

    /**
     * Bars a learner from a room until it ends, by order of its host. A learner who is just entering has
     * locked the room: this waits for them, so that their seat is found afterwards; a later one is refused.
     * @returns false for anybody but the host.
     */
    async keepOut(hostId: UserId, roomId: RoomId, userId: UserId, now: Date): Promise<boolean> {
      const keep = sql`
        with hosted as (${lockHosted(hostId, roomId)}), kept as (
          update study_room
          set kept_out = (array_append(kept_out, ${userId}::bigint))
                         [greatest(1, cardinality(kept_out) + 2 - ${KEPT_OUT_MAX}::integer):]
          from hosted where id = room_id and ${userId} <> all (kept_out)
          returning id
        ), guest as (
          insert into room_guest (user_id, room_id, status, asked_at, seen_at)
          select ${userId}, id, 'removed', ${now}, ${now} from kept
          on conflict (user_id, room_id) do update set status = 'removed'
        )
        select from hosted`;
      const { rows } = await retryConflict(() => keep.execute(database));
      return rows.length > 0;
    },

    /** Passes the host's rights to another learner in the room; null for anybody else. */
    async handOver(hostId: UserId, roomId: RoomId, newHostId: UserId): Promise<SeatChange | null> {
      const { rows } = await retryConflict(() =>
        sql<SeatChange>`
          with hosted as (${lockHosted(hostId, roomId)}), sitting as (
            select user_id, seat.room_id from seat join hosted on hosted.room_id = seat.room_id
            where user_id = ${newHostId} for key share of seat
          ), staying as (
            select user_id, room_id from study_room join sitting on id = room_id
            where user_id <> all (kept_out) for no key update of study_room
          ), handed as (
            update hosted_room set host_id = user_id, host_absent_since = null
            from staying where hosted_room.room_id = staying.room_id
            returning host_id
          ),
          ${countOneUpdate(sql<UserId>`(select host_id from handed)`)}
          select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
          database,
        ),
      );
      return rows[0] ?? null;
    },
  };
}

export type HostingRepository = ReturnType<typeof createHostingRepository>;
