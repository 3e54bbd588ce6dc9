import type { RoomId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A media server as it is stored. */
export interface StoredServer {
  readonly id: number;
  readonly url: string;
  readonly apiKey: string;
  readonly sealedSecret: Buffer;
  readonly isAdded: boolean;
  readonly drainedBy: Date | null;
  readonly downSince: Date | null;
  readonly load: number;
}

type NewServer = Pick<StoredServer, 'url' | 'apiKey' | 'sealedSecret' | 'isAdded'>;

/** The load of a room without learners until seats are counted again: half a room. */
const LOAD_OF_NEW_ROOM = 10;
/** Rooms that one statement moves. */
const MOVED_AT_ONCE = 200;

/** Whether learners sit in rooms of a server. */
const hasLearners = sql`exists (
  select from media_room as room join room_member as member using (room_id)
  where room.server_id = media_server.id
)`;

/** The queries on media servers and the rooms on them. */
export function createMediaServersRepository(database: Database) {
  return {
    async find(): Promise<readonly StoredServer[]> {
      const { rows } = await sql<StoredServer>`
        select id, url, api_key as "apiKey", sealed_secret as "sealedSecret", is_added as "isAdded",
               drained_by as "drainedBy", down_since as "downSince", load
        from media_server order by id`.execute(database);
      return rows;
    },

    /** Adds a server, or gives the one of this address another key. */
    async store({ url, apiKey, sealedSecret, isAdded }: NewServer): Promise<void> {
      await sql`
        insert into media_server (url, api_key, sealed_secret, is_added)
        values (${url}, ${apiKey}, ${sealedSecret}, ${isAdded})
        on conflict (url) do update
        set api_key = excluded.api_key, sealed_secret = excluded.sealed_secret,
            is_added = media_server.is_added or excluded.is_added`.execute(database);
    },

    /** Removes servers of the environment that are not listed any more; those with learners are drained. */
    async keepListed(urls: readonly string[], now: Date): Promise<void> {
      await sql`
        update media_server set drained_by = ${now}
        where not is_added and url <> all (${urls}::text[]) and drained_by is null`.execute(
        database,
      );
      await sql`
        delete from media_server
        where not is_added and url <> all (${urls}::text[]) and not ${hasLearners}`.execute(
        database,
      );
    },

    /** Removes a server without learners. */
    async remove(url: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from media_server where url = ${url} and not ${hasLearners}`.execute(database);
      return numAffectedRows === 1n;
    },

    /** The learners in a room. */
    async findMembers(roomId: RoomId): Promise<readonly UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from room_member where room_id = ${roomId}`.execute(database);
      return rows.map(({ userId }) => userId);
    },

    /** @param drainedBy null: it takes rooms again. */
    async drain(url: string, drainedBy: Date | null): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update media_server set drained_by = ${drainedBy} where url = ${url}`.execute(database);
      return numAffectedRows === 1n;
    },

    /** The servers of rooms, by room. */
    async findServersOf(roomIds: readonly RoomId[]): Promise<ReadonlyMap<RoomId, number>> {
      const { rows } = await sql<{ roomId: RoomId; serverId: number }>`
        select room_id as "roomId", server_id as "serverId" from media_room
        where room_id = any (${roomIds}::bigint[])`.execute(database);
      return new Map(rows.map(({ roomId, serverId }) => [roomId, serverId]));
    },

    /** Whether anybody but this learner sits in a room. */
    async hasOthers(roomId: RoomId, userId: UserId): Promise<boolean> {
      const { rows } = await sql`
        select from room_member where room_id = ${roomId} and user_id <> ${userId}
        limit 1`.execute(database);
      return rows.length > 0;
    },

    /**
     * Gives a room the open server with the least load, in the place of the one that it had.
     * @param former the server that the room had. It stays if another process has changed it since, or if it is open
     *   after all.
     * @param readable the servers with a readable secret.
     * @returns its server; null if none is open.
     */
    async choose(
      roomId: RoomId,
      former: number | null,
      readable: readonly number[],
    ): Promise<number | null> {
      const { rows } = await sql<{ serverId: number }>`
        with chosen as (
          update media_server set load = load + ${LOAD_OF_NEW_ROOM}
          where id = (
            select id from media_server
            where drained_by is null and down_since is null and id = any (${readable}::integer[])
            order by load, id limit 1
          )
          returning id
        )
        insert into media_room as room (room_id, server_id)
        select ${roomId}, id from chosen
        on conflict (room_id) do update
        set server_id = case when room.server_id = ${former} and not exists (
                          select from media_server
                          where id = room.server_id and id = any (${readable}::integer[])
                            and drained_by is null and down_since is null
                        )
                        then excluded.server_id else room.server_id end
        returning server_id as "serverId"`.execute(database);
      return rows[0]?.serverId ?? null;
    },

    /** Stores whether a server answers; true if that has changed. */
    async noteAnswer(id: number, now: Date, answers: boolean): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update media_server set down_since = ${answers ? null : now}
        where id = ${id} and (down_since is null) <> ${answers}`.execute(database);
      return numAffectedRows === 1n;
    },

    async countLoad(): Promise<void> {
      await sql`
        update media_server set load = counted.seats
        from (
          select server.id, count(member.user_id)::integer as seats
          from media_server as server
          left join media_room as room on room.server_id = server.id
          left join room_member as member on member.room_id = room.room_id
          group by server.id
        ) as counted
        where media_server.id = counted.id and load <> counted.seats`.execute(database);
    },

    /** Gives rooms with learners that have no server this one. */
    async adopt(roomIds: readonly RoomId[], serverId: number): Promise<void> {
      await sql`
        insert into media_room (room_id, server_id)
        select distinct room_id, ${serverId}::integer from room_member
        where room_id = any (${roomIds}::bigint[])
        on conflict do nothing`.execute(database);
    },

    /**
     * Moves rooms with learners from servers that are down, or whose time to drain is over, to open ones in
     * turn, some at a time; rooms without learners lose their server.
     * @returns the learners in moved rooms.
     */
    async move(
      now: Date,
      readable: readonly number[],
    ): Promise<readonly { userId: UserId; roomId: RoomId }[]> {
      await sql`
        delete from media_room where room_id in (
          select room.room_id
          from media_room as room join media_server as server on server.id = room.server_id
          where (drained_by is not null or down_since is not null)
            and not exists (select from room_member as m where m.room_id = room.room_id)
          limit ${MOVED_AT_ONCE} for update of room skip locked
        )`.execute(database);
      const { rows } = await sql<{ userId: UserId; roomId: RoomId }>`
        with open as (
          select array_agg(id order by load, id) as ids from media_server
          where drained_by is null and down_since is null and id = any (${readable}::integer[])
        ), locked as (
          select room.room_id
          from media_room as room join media_server as server on server.id = room.server_id
          where down_since is not null or drained_by <= ${now}
          limit ${MOVED_AT_ONCE} for update of room skip locked
        ), due as (
          select room_id, row_number() over () as place from locked
        ), moved as (
          update media_room set server_id = open.ids[1 + place % cardinality(open.ids)]
          from due, open
          where media_room.room_id = due.room_id and open.ids is not null
          returning media_room.room_id
        )
        select member.user_id as "userId", member.room_id as "roomId"
        from moved join room_member as member using (room_id)`.execute(database);
      return rows;
    },
  };
}

export type MediaServersRepository = ReturnType<typeof createMediaServersRepository>;
