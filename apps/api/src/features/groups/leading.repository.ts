import type { GroupId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { suspendedUsers } from '../sanctions/index.ts';
import { userCards } from '../users/index.ts';
import { isActive } from './group-rows.ts';

/** Queries on the leaders of groups, and the end of groups without members. */
export function createLeading(database: Database) {
  return {
    /**
     * Makes the member of longest standing who can lead a leader of a group without one; members who are
     * suspended for a time come last.
     * @returns whether the group has members.
     */
    async appointSuccessor(db: Database, groupId: GroupId, now: Date): Promise<boolean> {
      const { rows } = await sql<{ hasMembers: boolean }>`
        with longest as (
          select user_id from group_member
          where group_id = ${groupId} and ${isActive(sql.ref('user_id'))}
          order by is_leader desc, user_id in ${suspendedUsers(now)}, joined_at, user_id limit 1
        ), led as (
          update group_member set is_leader = true from longest
          where group_id = ${groupId} and group_member.user_id = longest.user_id and not is_leader
        )
        select exists (
          select from group_member where group_id = ${groupId}
        ) as "hasMembers"`.execute(db);
      return rows[0]?.hasMembers ?? false;
    },

    async deleteGroup(db: Database, groupId: GroupId): Promise<void> {
      await sql`delete from study_group where id = ${groupId}`.execute(db);
    },

    /** Groups without a leader who can lead, but with somebody to follow; and those without members. */
    async findLeaderless(): Promise<GroupId[]> {
      const { rows } = await sql<{ groupId: GroupId }>`
        select g.id as "groupId"
        from study_group as g left join group_member as m on m.group_id = g.id
        group by g.id
        having count(m.user_id) = 0
          or bool_or(${isActive(sql.ref('m.user_id'))})
            and not bool_or(m.is_leader and ${isActive(sql.ref('m.user_id'))})`.execute(database);
      return rows.map(({ groupId }) => groupId);
    },

    /**
     * Makes a member who can lead a leader.
     * @param by the acting leader, who steps down by handing over.
     * @returns whether the member was one; null without such a member.
     */
    async setLeader(
      db: Database,
      groupId: GroupId,
      memberId: UserId,
      { by, handsOver }: { readonly by: UserId; readonly handsOver: boolean },
    ): Promise<boolean | null> {
      const { rows } = await sql<{ wasLeader: boolean }>`
        with before as (
          select group_id, user_id, is_leader from group_member
          where group_id = ${groupId} and user_id = ${memberId} and ${isActive(sql.ref('user_id'))}
        ), led as (
          update group_member as m
          set is_leader = true,
              led_from = case when m.is_leader and not ${handsOver} then m.led_from else ${by} end
          from before where m.group_id = before.group_id and m.user_id = before.user_id
        )
        select is_leader as "wasLeader" from before`.execute(db);
      return rows[0]?.wasLeader ?? null;
    },

    /** A leader stops leading; unless they hand over, the leaders whom they made cannot give it back to them. */
    async endLeading(
      db: Database,
      groupId: GroupId,
      leaderId: UserId,
      handsOver: boolean,
    ): Promise<void> {
      await sql`
        update group_member set is_leader = is_leader and user_id <> ${leaderId}, led_from = null
        where group_id = ${groupId}
          and (user_id = ${leaderId} or (led_from = ${leaderId} and not ${handsOver}))`.execute(db);
    },

    /**
     * Lets the member lead again who made another one a leader.
     * @returns them; null if they have left.
     */
    async giveBack(db: Database, groupId: GroupId, leaderId: UserId): Promise<UserId | null> {
      const { rows } = await sql<{ userId: UserId }>`
        update group_member as giver set is_leader = true
        from group_member as m
        where m.group_id = ${groupId} and m.user_id = ${leaderId}
          and giver.group_id = m.group_id and giver.user_id = m.led_from
          and ${isActive(sql.ref('giver.user_id'))}
        returning giver.user_id as "userId"`.execute(db);
      return rows[0]?.userId ?? null;
    },

    /** The name of a group, and of a member for another one; null if a block stands between them. */
    async findNames(groupId: GroupId, memberId: UserId, forId: UserId) {
      const { rows } = await sql<{ groupName: string; nickname: string }>`
        select g.name as "groupName", card.nickname
        from study_group as g join ${userCards} as card on card.user_id = ${memberId}
        where g.id = ${groupId} and not ${isBlockedPair(forId, sql.ref('card.user_id'))}`.execute(
        database,
      );
      return rows[0] ?? null;
    },

    async hasOtherLeader(db: Database, groupId: GroupId, leaderId: UserId): Promise<boolean> {
      const { rows } = await sql`
        select from group_member
        where group_id = ${groupId} and is_leader and user_id <> ${leaderId}
          and ${isActive(sql.ref('user_id'))} limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}
