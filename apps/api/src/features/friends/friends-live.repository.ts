import {
  FRIENDS,
  type FriendCard,
  type FriendInvitation,
  type FriendState,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { presentStatus } from '../focus/index.ts';
import { wayInto } from '../rooms/index.ts';
import { leavingUsers, userCards } from '../users/index.ts';

/** The caller's own part of their list of friends. */
interface OwnPart {
  readonly link: string | null;
  readonly sharesState: boolean;
  readonly invitations: readonly FriendInvitation[];
}

/** SQL for "this learner shows friends their state". */
const shares = (userId: UserId | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from friend_sharing as sharing where sharing.user_id = ${userId})`;

/**
 * SQL for the friends of a learner where both show their state. Blocks need no check, as a block ends a
 * friendship.
 */
const openFriendsOf = (userId: UserId): RawBuilder<unknown> => sql`(
  select friend_id from friendship
  where user_id = ${userId} and friend_id not in ${leavingUsers}
    and ${shares(userId)} and ${shares(sql.ref('friendship.friend_id'))}
)`;

/** The queries on what friends see of each other, and on their invitations. */
export function createFriendsLiveRepository(database: Database) {
  return {
    /** @param since invitations from before this have lapsed; so have those of friends that have left the room. */
    async findOwnPart(userId: UserId, since: Date): Promise<OwnPart> {
      type Row = Omit<OwnPart, 'invitations'> & {
        readonly invitations: readonly (FriendCard & { readonly roomId: RoomId })[] | null;
      };
      const { rows } = await sql<Row>`
        select (select secret from friend_link where user_id = ${userId}) as link,
          ${shares(userId)} as "sharesState", (
            select json_agg(json_build_object('userId', from_id, 'nickname', nickname,
                     'profileImage', profile_image, 'roomId', invitation.room_id)
                     order by sent_at desc, from_id)
            from friend_invitation as invitation
            join ${userCards} as card on card.user_id = from_id
            join room_member as inviter
              on inviter.user_id = from_id and inviter.room_id = invitation.room_id
            where to_id = ${userId} and sent_at > ${since} and from_id in ${openFriendsOf(userId)}
              and not exists (
                select from room_member as own
                where own.user_id = ${userId} and own.room_id = invitation.room_id
              )
          ) as invitations`.execute(database);
      const { invitations, ...own } = rows[0] ?? {
        link: null,
        sharesState: false,
        invitations: [],
      };
      return {
        ...own,
        invitations: (invitations ?? []).map(({ roomId, ...from }) => ({ from, roomId })),
      };
    },

    /** Friends with a seat, where both show their state. */
    async findStates(userId: UserId, now: Date): Promise<FriendState[]> {
      type Row = Pick<FriendState, 'userId' | 'status'> & {
        readonly roomId: RoomId;
        readonly way: NonNullable<FriendState['place']>['way'] | null;
      };
      const { rows } = await sql<Row>`
        select user_id as "userId", room_id as "roomId",
               coalesce(${presentStatus(sql.ref('member.user_id'), now)}, 'idle') as status,
               ${wayInto(userId, sql.ref('member.room_id'))} as way
        from room_member as member where user_id in ${openFriendsOf(userId)}
        order by user_id`.execute(database);
      return rows.map(({ roomId, way, ...state }) => ({ ...state, place: way && { roomId, way } }));
    },

    async isSharing(userId: UserId): Promise<boolean> {
      const { rows } = await sql<{ isSharing: boolean }>`
        select ${shares(userId)} as "isSharing"`.execute(database);
      return rows[0]?.isSharing ?? false;
    },

    async setSharing(userId: UserId, sharesState: boolean, now: Date): Promise<void> {
      await (sharesState
        ? sql`insert into friend_sharing values (${userId}, ${now}) on conflict do nothing`
        : sql`delete from friend_sharing where user_id = ${userId}`
      ).execute(database);
    },

    /**
     * Stores the invitation of a learner seated in the room.
     * @returns false unless the two are friends and both show their state.
     */
    async invite(fromId: UserId, toId: UserId, roomId: RoomId, now: Date): Promise<boolean> {
      const { rows } = await sql`
        insert into friend_invitation (from_id, to_id, room_id, sent_at)
        select ${fromId}, friend_id, ${roomId}, ${now}
        from ${openFriendsOf(fromId)} as friend where friend_id = ${toId}
        on conflict (from_id, to_id)
          do update set room_id = excluded.room_id, sent_at = excluded.sent_at
        returning to_id`.execute(database);
      return rows.length > 0;
    },

    async decline(fromId: UserId, toId: UserId): Promise<void> {
      await sql`delete from friend_invitation where from_id = ${fromId} and to_id = ${toId}`.execute(
        database,
      );
    },

    deleteLapsed: (since: Date) =>
      deleteInSlices(database, 'friend_invitation', sql`sent_at <= ${since}`),
  };
}

export type FriendsLiveRepository = ReturnType<typeof createFriendsLiveRepository>;

/** Invitations from before this have lapsed. */
export const invitedSince = (now: Date) =>
  new Date(now.getTime() - FRIENDS.invitationMinutes * 60_000);
