import { FRIENDS, type FriendCard, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { leavingUsers, lockPair, userCards } from '../users/index.ts';

/** The relation between two learners. */
export interface Standing {
  /** One blocks the other, or an account is deleted or going to be. */
  readonly isApart: boolean;
  readonly areFriends: boolean;
  readonly hasAsked: boolean;
  /** Including a request that the first has declined. */
  readonly isAsked: boolean;
}

/** The figures that the limits of requests and friendships bound. */
interface Counts {
  /** Requests of the first that wait for an answer. */
  readonly openRequests: number;
  /** The larger number of friends of the two. */
  readonly mostFriends: number;
}

/**
 * SQL for the ids of a learner's friends, for use after `in`: without accounts that are going to be deleted.
 * Blocks need no check, as a block ends a friendship.
 */
export const friendsOf = (userId: UserId): RawBuilder<unknown> => sql`(
  select friend_id from friendship
  where user_id = ${userId} and friend_id not in ${leavingUsers}
)`;

/** The only queries on friends. Requests made before `since` have lapsed. */
export function createFriendsRepository(database: Database) {
  return {
    /** Friends and open requests of a learner, newest first, without learners hidden by a block. */
    async findPeople(userId: UserId, since: Date) {
      type Row = FriendCard & { readonly kind: 'friends' | 'received' | 'sent' };
      const { rows } = await sql<Row>`
        select kind, user_id as "userId", nickname, profile_image as "profileImage"
        from (
          select 'friends' as kind, friend_id as user_id, since as at
          from friendship where user_id = ${userId}
          union all (
            select 'received', asker_id, asked_at from friend_request
            where asked_id = ${userId} and declined_at is null and not is_withdrawn
              and asked_at > ${since} and asker_id not in ${leavingUsers}
              and not ${isBlockedPair(userId, sql`asker_id`)}
            order by asked_at desc limit ${FRIENDS.shownRequests}
          )
          union all
          select 'sent', asked_id, asked_at from friend_request
          where asker_id = ${userId} and not is_withdrawn and asked_at > ${since}
        ) as people join ${userCards} as cards using (user_id)
        where user_id not in ${leavingUsers}
          and not ${isBlockedPair(userId, sql`people.user_id`)}
        order by at desc, user_id`.execute(database);
      const listOf = (wanted: Row['kind']) =>
        rows.flatMap(({ kind, ...card }): FriendCard[] => (kind === wanted ? [card] : []));
      return {
        friends: listOf('friends'),
        received: listOf('received'),
        sent: listOf('sent'),
      };
    },

    async replaceLink(userId: UserId, secret: string, now: Date): Promise<void> {
      await sql`
        insert into friend_link (user_id, secret, made_at) values (${userId}, ${secret}, ${now})
        on conflict (user_id) do update set secret = excluded.secret, made_at = excluded.made_at
      `.execute(database);
    },

    async findLinkOwner(secret: string): Promise<FriendCard | null> {
      const { rows } = await sql<FriendCard>`
        select user_id as "userId", nickname, profile_image as "profileImage"
        from friend_link join ${userCards} as cards using (user_id)
        where secret = ${secret}`.execute(database);
      return rows[0] ?? null;
    },

    findStanding: (userId: UserId, otherId: UserId, since: Date) =>
      findStanding(database, userId, otherId, since),

    /** Locks two learners: their relation changes only in `work`. */
    holdPair: <Result>(
      userId: UserId,
      otherId: UserId,
      work: (held: HeldPair) => Promise<Result>,
    ): Promise<Result> =>
      database.transaction().execute(async (transaction) => {
        await lockPair(userId, otherId).execute(transaction);
        return work(createHeldPair(transaction, userId, otherId));
      }),

    deleteLapsed: (since: Date) =>
      deleteInSlices(database, 'friend_request', sql`asked_at <= ${since}`),
  };
}

/** Ends the relation of two learners, in the transaction that stores a block between them. */
export async function endAll(db: Database, userId: UserId, otherId: UserId): Promise<void> {
  const pair = sql`((${userId}, ${otherId}), (${otherId}, ${userId}))`;
  await sql`
    with ended as (delete from friendship where (user_id, friend_id) in ${pair})
    delete from friend_request where (asker_id, asked_id) in ${pair}`.execute(db);
}

async function findStanding(
  db: Database,
  userId: UserId,
  otherId: UserId,
  since: Date,
): Promise<Standing> {
  const asked = (from: UserId, to: UserId) => sql`exists (
    select from friend_request
    where asker_id = ${from} and asked_id = ${to} and not is_withdrawn and asked_at > ${since}
  )`;
  const { rows } = await sql<Standing>`
    select
      (
        select count(*) from ${userCards} as card
        where user_id in (${userId}, ${otherId}) and user_id not in ${leavingUsers}
      ) < 2
        or ${isBlockedPair(userId, sql`${otherId}::bigint`)} as "isApart",
      exists (
        select from friendship where user_id = ${userId} and friend_id = ${otherId}
      ) as "areFriends",
      ${asked(userId, otherId)} as "hasAsked",
      ${asked(otherId, userId)} as "isAsked"`.execute(db);
  return rows[0] as Standing;
}

/** The queries of a transaction that has locked two learners. */
function createHeldPair(db: Database, userId: UserId, otherId: UserId) {
  return {
    findStanding: (since: Date) => findStanding(db, userId, otherId, since),

    async count(since: Date): Promise<Counts> {
      const { rows } = await sql<Counts>`
        select
          (
            select count(*)::integer from friend_request
            where asker_id = ${userId} and not is_withdrawn and asked_at > ${since}
          ) as "openRequests",
          greatest(
            (select count(*)::integer from friendship where user_id = ${userId}),
            (select count(*)::integer from friendship where user_id = ${otherId})
          ) as "mostFriends"`.execute(db);
      return rows[0] as Counts;
    },

    /** Makes them friends, which answers the requests of both. */
    async befriend(now: Date): Promise<void> {
      await endAll(db, userId, otherId);
      await sql`
        insert into friendship (user_id, friend_id, since)
        values (${userId}, ${otherId}, ${now}), (${otherId}, ${userId}, ${now})`.execute(db);
    },

    /** @returns whether the other is to be told: not if they have declined a request that has not lapsed. */
    async ask(now: Date, since: Date): Promise<boolean> {
      const { rows } = await sql<{ reaches: boolean }>`
        insert into friend_request as before (asker_id, asked_id, asked_at)
        values (${userId}, ${otherId}, ${now})
        on conflict (asker_id, asked_id) do update
        set asked_at = excluded.asked_at, is_withdrawn = false,
            declined_at = case when before.asked_at > ${since} then before.declined_at end
        returning declined_at is null as reaches`.execute(db);
      return rows[0]?.reaches ?? false;
    },

    /**
     * Ends the friendship, declines the other's request and withdraws that of the first.
     * @returns whether the other side sees a change.
     */
    async remove(now: Date): Promise<boolean> {
      const { rows } = await sql<{ isSeen: boolean }>`
        with ended as (
          delete from friendship
          where (user_id, friend_id) in ((${userId}, ${otherId}), (${otherId}, ${userId}))
          returning user_id
        ), declined as (
          update friend_request set declined_at = ${now}
          where asker_id = ${otherId} and asked_id = ${userId}
            and declined_at is null and not is_withdrawn
        ), withdrawn as (
          update friend_request set is_withdrawn = true
          where asker_id = ${userId} and asked_id = ${otherId} and not is_withdrawn
          returning declined_at
        )
        select exists (select from ended)
            or exists (select from withdrawn where declined_at is null) as "isSeen"`.execute(db);
      return rows[0]?.isSeen ?? false;
    },
  };
}

export type HeldPair = ReturnType<typeof createHeldPair>;
export type FriendsRepository = ReturnType<typeof createFriendsRepository>;
