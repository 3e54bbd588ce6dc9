import type { RoomId, UserId, WaitingGuest } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, SLICE_ROWS } from '../../platform/database/index.ts';
import { isBlockedPair, isBlocking } from '../blocks/index.ts';
import { userCards } from '../users/index.ts';

type GuestStatus = 'waiting' | 'admitted' | 'declined' | 'removed';

/** A request lapses if its page is silent for this long; browsers let a background page ask once a minute. */
const HEARD_SECONDS = 150;
/** Maximum number of waiting guests shown to a host. */
const SHOWN_MAX = 50;

interface Standing {
  /** Whether a block stands between the learner and the host. */
  readonly isApartFromHost: boolean;
  /** Of the room's group. */
  readonly isMember: boolean;
  /** Null without a request. */
  readonly status: GuestStatus | null;
}

/** The only queries on requests and admissions. */
export function createAdmissionsRepository(database: Database) {
  return {
    /**
     * A learner's admission to a room, and blocks with its host; one declined before `declinedSince` may ask
     * again.
     */
    async findStanding(roomId: RoomId, userId: UserId, declinedSince: Date): Promise<Standing> {
      const { rows } = await sql<Standing>`
        select ${isBlockedPair(userId, sql.ref('host_id'))} as "isApartFromHost", status,
               is_standing and exists (
                 select from admitted_guest as guest
                 where guest.room_id = hosted_room.room_id and guest.user_id = ${userId}
               ) as "isMember"
        from hosted_room left join room_guest
          on room_guest.room_id = hosted_room.room_id and user_id = ${userId}
         and (status <> 'declined' or asked_at >= ${declinedSince})
        where hosted_room.room_id = ${roomId}`.execute(database);
      return rows[0] ?? { isApartFromHost: false, isMember: false, status: null };
    },

    /** Admits a learner with an invitation; a removed one stays removed. */
    async admit(roomId: RoomId, userId: UserId, now: Date): Promise<void> {
      await sql`
        insert into room_guest (user_id, room_id, status, asked_at, seen_at)
        select ${userId}, room_id, 'admitted', ${now}, ${now} from hosted_room
        where room_id = ${roomId} and closed_at is null
        on conflict (user_id, room_id) do update set status = 'admitted'
        where room_guest.status <> 'removed'`.execute(database);
    },

    /**
     * Asks the host. A waiting learner keeps their place; one declined after `declinedSince` stays declined.
     * @returns false if nothing changed.
     */
    async ask(roomId: RoomId, userId: UserId, now: Date, declinedSince: Date): Promise<boolean> {
      const { rows } = await sql`
        insert into room_guest (user_id, room_id, status, asked_at, seen_at)
        select ${userId}, room_id, 'waiting', ${now}, ${now} from hosted_room
        where room_id = ${roomId} and closed_at is null
        on conflict (user_id, room_id) do update
        set status = 'waiting', asked_at = ${now}, seen_at = ${now}
        where room_guest.status = 'declined' and room_guest.asked_at < ${declinedSince}
        returning user_id`.execute(database);
      return rows.length > 0;
    },

    /** Records that the page of a waiting learner is open. */
    async hear(roomId: RoomId, userId: UserId, now: Date): Promise<void> {
      await sql`
        update room_guest set seen_at = ${now}
        where user_id = ${userId} and room_id = ${roomId} and status = 'waiting'`.execute(database);
    },

    async cancel(roomId: RoomId, userId: UserId): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from room_guest
        where user_id = ${userId} and room_id = ${roomId} and status = 'waiting'`.execute(database);
      return numAffectedRows === 1n;
    },

    /** The host's answer to a waiting learner; ignored for anybody else. A decline counts from `now`. */
    async answer(roomId: RoomId, userId: UserId, isAdmitted: boolean, now: Date): Promise<void> {
      await sql`
        update room_guest set status = ${isAdmitted ? 'admitted' : 'declined'}, asked_at = ${now}
        where user_id = ${userId} and room_id = ${roomId} and status = 'waiting'`.execute(database);
    },

    /** Waiting guests without a block with anybody seated, first come first. */
    async findWaiting(roomId: RoomId, hostId: UserId, now: Date): Promise<WaitingGuest[]> {
      const { rows } = await sql<WaitingGuest>`
        select user_id as "userId", nickname, profile_image as "profileImage"
        from room_guest join ${userCards} as card using (user_id)
        where room_id = ${roomId} and status = 'waiting'
          and seen_at > ${now}::timestamptz - make_interval(secs => ${HEARD_SECONDS})
          and not ${isBlockedPair(hostId, sql.ref('room_guest.user_id'))}
          and not exists (
            select from room_member as member where member.room_id = room_guest.room_id
              and ${isBlockedPair(sql.ref('room_guest.user_id'), sql.ref('member.user_id'))})
        order by asked_at, user_id limit ${SHOWN_MAX}`.execute(database);
      return rows;
    },

    /** Learners in the room with a block on its host, hidden from the host. */
    async findHidden(roomId: RoomId, hostId: UserId): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from room_member as member
        where room_id = ${roomId}
          and ${isBlocking(sql.ref('member.user_id'), hostId)}
          and not ${isBlocking(hostId, sql.ref('member.user_id'))}
        order by entered_at, user_id`.execute(database);
      return rows.map(({ userId }) => userId);
    },

    /**
     * Ends requests made before `askedBefore`, and those with a closed page.
     * @returns their rooms, with the host of each.
     */
    async endOld(askedBefore: Date, now: Date) {
      const found: { roomId: RoomId; hostId: UserId | null }[] = [];
      let ended: number;
      do {
        const { rows } = await sql<{ roomId: RoomId; hostId: UserId | null; guests: number }>`
          with ended as (
            delete from room_guest where ctid = any (array(
              select ctid from room_guest
              where status = 'waiting' and (asked_at < ${askedBefore}
                or seen_at < ${now}::timestamptz - make_interval(secs => ${HEARD_SECONDS}))
              limit ${SLICE_ROWS}
            ))
            returning room_id
          )
          select room_id as "roomId", host_id as "hostId", count(*) as guests
          from ended join hosted_room using (room_id) group by room_id, host_id`.execute(database);
        found.push(...rows);
        ended = rows.reduce((sum, { guests }) => sum + guests, 0);
      } while (ended === SLICE_ROWS);
      return found;
    },
  };
}

export type AdmissionsRepository = ReturnType<typeof createAdmissionsRepository>;
