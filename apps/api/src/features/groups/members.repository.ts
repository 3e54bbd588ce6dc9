import {
  DAY_MS,
  GROUPS,
  type GroupAsker,
  type GroupId,
  type RoomId,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { lockLearner, userCards } from '../users/index.ts';
import {
  declinedSince,
  isActive,
  isApartFromLeader,
  isOfToday,
  isStaying,
  waitingRequests,
} from './group-rows.ts';
import { countedDays, groupToday, openDays } from './group-times.ts';
import { createLeading } from './leading.repository.ts';

/** Longer than a day of any group. */
const NUDGES_KEPT_DAYS = 3;

/** The facts by which a learner may join a group, or not. */
interface Entrance {
  readonly isMember: boolean;
  readonly isApart: boolean;
  readonly isFull: boolean;
  /** Groups of the learner. */
  readonly ownGroups: number;
  /** For an answer of the leaders: they see the request. */
  readonly isWaiting: boolean;
  readonly isDeclined: boolean;
  /** Those that leaders see. */
  readonly requests: number;
}

/** A member's rights. */
export interface Membership {
  readonly roomId: RoomId;
  readonly name: string;
  readonly isLeader: boolean;
}

/** Queries on what learners ask of a group and of each other. */
function createRequests(database: Database) {
  return {
    /** Stores a request; one that was declined long ago is asked again. */
    async ask(db: Database, userId: UserId, groupId: GroupId, now: Date): Promise<void> {
      await sql`
        insert into group_request (user_id, group_id, asked_at) values (${userId}, ${groupId}, ${now})
        on conflict (user_id, group_id) do update set asked_at = excluded.asked_at, declined_at = null
      `.execute(db);
    },

    /** Declines removed members beforehand. */
    async bar(
      db: Database,
      userIds: readonly UserId[],
      groupId: GroupId,
      now: Date,
    ): Promise<void> {
      await sql`
        insert into group_request (user_id, group_id, asked_at, declined_at)
        select user_id, ${groupId}, ${now}, ${now} from unnest(${userIds}::bigint[]) as user_id
        on conflict (user_id, group_id)
          do update set asked_at = excluded.asked_at, declined_at = excluded.declined_at`.execute(
        db,
      );
    },

    async cancel(userId: UserId, groupId: GroupId): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from group_request
        where user_id = ${userId} and group_id = ${groupId} and declined_at is null`.execute(
        database,
      );
      return numAffectedRows === 1n;
    },

    /** @returns whether the learner was waiting. */
    async decline(db: Database, userId: UserId, groupId: GroupId, now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update group_request set declined_at = ${now}
        where user_id = ${userId} and group_id = ${groupId} and declined_at is null`.execute(db);
      return numAffectedRows === 1n;
    },

    /** Learners waiting for the leaders of a group, first come first. */
    async findAskers(groupId: GroupId): Promise<GroupAsker[]> {
      const { rows } = await sql<Omit<GroupAsker, 'askedAtMs'> & { askedAt: Date }>`
        select user_id as "userId", nickname, profile_image as "profileImage", asked_at as "askedAt"
        from study_group as g cross join lateral ${waitingRequests} as request
        join ${userCards} as card using (user_id)
        where g.id = ${groupId} order by asked_at, user_id`.execute(database);
      return rows.map(({ askedAt, ...asker }) => ({ ...asker, askedAtMs: askedAt.getTime() }));
    },

    /** Whether a member can be nudged by another now; null for a stranger, and for a hidden one. */
    async findNudged(fromId: UserId, toId: UserId, groupId: GroupId): Promise<boolean | null> {
      const { rows } = await sql<{ isWilling: boolean }>`
        select not refuses_nudges and not exists (
                 select from room_member as place where place.user_id = m.user_id
               ) as "isWilling"
        from group_member as m
        where group_id = ${groupId} and user_id = ${toId} and user_id <> ${fromId}
          and not ${isBlockedPair(fromId, sql.ref('m.user_id'))}
          and ${isStaying(sql.ref('m.user_id'))}`.execute(database);
      return rows[0]?.isWilling ?? null;
    },

    /**
     * Records a nudge.
     * @returns its sender's name, and the day of the group; null if there was one today, in any group.
     */
    async nudge(
      fromId: UserId,
      toId: UserId,
      groupId: GroupId,
      now: Date,
    ): Promise<{ nickname: string; day: StudyDay } | null> {
      const { rows } = await sql<{ nickname: string; day: StudyDay }>`
        with today as (
          select today.* from study_group as g cross join lateral ${groupToday(now)} as today
          where g.id = ${groupId}
        ), nudged as (
          insert into group_nudge as before (from_id, to_id, group_id, nudged_at)
          select ${fromId}, ${toId}, ${groupId}, ${now} from today
          on conflict (from_id, to_id)
            do update set group_id = excluded.group_id, nudged_at = excluded.nudged_at
          where not ${isOfToday('before', groupId, now)}
          returning from_id
        )
        select card.nickname, today.day::text as day
        from nudged join ${userCards} as card on card.user_id = from_id cross join today`.execute(
        database,
      );
      return rows[0] ?? null;
    },
  };
}

/** The only queries on members, and requests for entry. */
export function createMembersRepository(database: Database) {
  return {
    ...createRequests(database),
    ...createLeading(database),

    /** The rights of a learner in a group; null for a stranger. A banned leader has none that leaders have. */
    async find(userId: UserId, groupId: GroupId, db = database): Promise<Membership | null> {
      const { rows } = await sql<Membership>`
        select g.room_id as "roomId", g.name,
               own.is_leader and ${isActive(sql.ref('own.user_id'))} as "isLeader"
        from group_member as own join study_group as g on g.id = own.group_id
        where own.user_id = ${userId} and own.group_id = ${groupId}`.execute(db);
      return rows[0] ?? null;
    },

    /** The members of a group; its leaders alone. */
    async findIds(groupId: GroupId, audience: 'everybody' | 'leaders'): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from group_member
        where group_id = ${groupId} and (is_leader or ${audience === 'everybody'})`.execute(
        database,
      );
      return rows.map(({ userId }) => userId);
    },

    async findEntrance(db: Database, userId: UserId, groupId: GroupId, now: Date) {
      const { rows } = await sql<Entrance>`
        select own.user_id is not null as "isMember", ${isApartFromLeader(userId)} as "isApart",
               (
                 select count(*) from group_member as m
                 where m.group_id = g.id and not ${isReplaceable}
               ) >= ${GROUPS.membersMax} as "isFull",
               (select count(*)::integer from group_member where user_id = ${userId}) as "ownGroups",
               exists (
                 select from ${waitingRequests} as seen where seen.user_id = ${userId}
               ) as "isWaiting",
               coalesce(request.declined_at > ${declinedSince(now)}, false) as "isDeclined",
               (
                 select count(*)::integer from ${waitingRequests} as seen
               ) as requests
        from study_group as g
        left join group_member as own on own.group_id = g.id and own.user_id = ${userId}
        left join group_request as request on request.group_id = g.id and request.user_id = ${userId}
        where g.id = ${groupId}`.execute(db);
      return rows[0] as Entrance;
    },

    /** The member of a group without a free place whose place the next one gets; null if none is replaceable. */
    async findReplaced(db: Database, groupId: GroupId): Promise<UserId | null> {
      const { rows } = await sql<{ userId: UserId }>`
        select m.user_id as "userId" from group_member as m
        where m.group_id = ${groupId} and ${isReplaceable}
          and (select count(*) from group_member where group_id = ${groupId}) >= ${GROUPS.membersMax}
        order by m.joined_at desc, m.user_id desc limit 1`.execute(db);
      return rows[0]?.userId ?? null;
    },

    async countGroups(db: Database, userId: UserId): Promise<{ all: number; led: number }> {
      const { rows } = await sql<{ all: number; led: number }>`
        select count(*)::integer as all, count(*) filter (where is_leader)::integer as led
        from group_member where user_id = ${userId}`.execute(db);
      return rows[0] as { all: number; led: number };
    },

    /** Adds a member, and ends their request. */
    async insert(db: Database, userId: UserId, groupId: GroupId, now: Date): Promise<void> {
      await sql`
        with asked as (delete from group_request where user_id = ${userId} and group_id = ${groupId})
        insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
        select g.id, ${userId}, false, ${now}, today.day
        from study_group as g cross join lateral ${groupToday(now)} as today
        where g.id = ${groupId}`.execute(db);
    },

    /**
     * Removes members `m` of a locked group. Its total keeps their focus: that of days which are not stored yet is
     * added before.
     * @returns the removed members.
     */
    async remove(
      db: Database,
      groupId: GroupId,
      which: RawBuilder<unknown>,
      now: Date,
    ): Promise<UserId[]> {
      await sql`
        with ${openDays(groupId, now)}
        update study_group set settled_ms = settled_ms + (
          select coalesce(sum(total_ms), 0)::bigint
          from g join group_member as m on m.group_id = g.id
          cross join lateral ${countedDays(sql`d`, now)} as counted
          where ${which}
        )
        where id = ${groupId}`.execute(db);
      const { rows } = await sql<{ userId: UserId }>`
        delete from group_member as m where m.group_id = ${groupId} and ${which}
        returning m.user_id as "userId"`.execute(db);
      return rows.map(({ userId }) => userId);
    },

    async setRefusesNudges(userId: UserId, groupId: GroupId, refusesNudges: boolean) {
      await sql`
        update group_member set refuses_nudges = ${refusesNudges}
        where user_id = ${userId} and group_id = ${groupId}`.execute(database);
    },

    /** Deletes requests that waited too long, or were declined long ago, and nudges of earlier days. */
    async deleteOld(now: Date): Promise<void> {
      const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
      await deleteInSlices(database, 'group_request', sql`asked_at < ${ago(GROUPS.requestDays)}`);
      await deleteInSlices(database, 'group_nudge', sql`nudged_at < ${ago(NUDGES_KEPT_DAYS)}`);
    },
  };
}

/** SQL for the members `m` hidden from a leader by a block; the leader may remove them without a name. */
export const isHiddenFrom = (leaderId: UserId): RawBuilder<boolean> => sql<boolean>`(
  not m.is_leader and ${isBlockedPair(leaderId, sql.ref('m.user_id'))}
  and ${isStaying(sql.ref('m.user_id'))}
)`;

/** SQL for "`m` is deleting the account, and does not lead": others see nothing of this member. */
const isReplaceable = sql<boolean>`(not m.is_leader and not ${isStaying(sql.ref('m.user_id'))})`;

/** Locks a learner: their memberships change in this transaction only; false if there is none. */
export async function lockMember(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await lockLearner(sql`${userId}`, null, 'no key update').execute(db);
  return rows.length > 0;
}

export type MembersRepository = ReturnType<typeof createMembersRepository>;
