import {
  GROUPS_PER_PAGE,
  type GroupCard,
  type GroupChoices,
  type GroupId,
  type GroupMember,
  type GroupPlan,
  type GroupStanding,
  type OwnGroup,
  type RoomId,
  type StudyCategory,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { focusingLearners, runningIntervals } from '../focus/index.ts';
import { userCards } from '../users/index.ts';
import {
  cardOf,
  choiceColumns,
  choiceValues,
  declinedSince,
  type GroupRow,
  groupColumns,
  isActive,
  isApartFromLeader,
  isEntered,
  isOfToday,
  isStaying,
  waitingNudge,
  waitingRequests,
} from './group-rows.ts';
import { countedDays, groupDayBegin, groupToday, openDays } from './group-times.ts';
import { nextSession } from './session-days.ts';

/** The conditions of a search for groups. */
interface Search {
  readonly page: number;
  readonly category?: StudyCategory | undefined;
  readonly text?: string | undefined;
}

/** A group as one of its members reads it, without the people. */
export interface ReadGroup extends GroupRow {
  readonly notice: string;
  readonly noticeAt: Date | null;
  readonly settledMs: number;
  readonly today: string;
  readonly dayStartsAt: Date;
  readonly dayEndsAt: Date;
  readonly weekStartsAt: Date;
  readonly waiting: number;
  readonly invitation: string;
  readonly isLeader: boolean;
  readonly refusesNudges: boolean;
  readonly calendar: string | null;
  readonly excusedDays: StudyDay[];
  readonly nudgedBy: string | null;
  readonly ledFrom: string | null;
}

/** A member as one of them reads it. */
export interface ReadMember extends Omit<GroupMember, 'joinedAtMs' | 'runningSinceMs'> {
  readonly joinedAt: Date;
  readonly runningSince: Date | null;
  /** Focus since they joined on days that are not settled; none of a hidden member, since it would show their state. */
  readonly liveMs: number;
  /** Focus of the week with the running interval; of a hidden member that of settled days. */
  readonly weekUntilNowMs: number;
  /** By a block. */
  readonly isHidden: boolean;
  readonly isStaying: boolean;
  /** A leader who is not banned. */
  readonly canLead: boolean;
}

/** The number of learners waiting for the leaders of `g`; 0 unless the member `own` leads it. */
const waiting = sql`
  case when own.is_leader then (select count(*)::integer from ${waitingRequests} as seen) else 0 end`;

/** The only queries on groups themselves. */
export function createGroupsRepository(database: Database) {
  return {
    /** Stores a group with its first leader, in a transaction that has made its room. */
    async insert(
      db: Database,
      plan: GroupPlan,
      made: {
        readonly roomId: RoomId;
        readonly leaderId: UserId;
        readonly invitation: string;
        readonly now: Date;
      },
    ): Promise<GroupId> {
      const { roomId, leaderId, invitation, now } = made;
      const rule = sql`(
        select ${plan.timeZone}::text as time_zone, ${plan.dayStartMinutes}::integer as day_start_minutes
      )`;
      const { rows } = await sql<{ groupId: GroupId }>`
        with made as (
          insert into study_group (room_id, ${choiceColumns}, name_by, goal_by, time_zone, day_start_minutes,
                                   invitation, made_at, settled_day)
          select ${roomId}::bigint, ${choiceValues(plan)}, ${leaderId}, ${leaderId}, g.time_zone,
                 g.day_start_minutes, ${invitation}, ${now}, today.day - 1
          from ${rule} as g cross join lateral ${groupToday(now)} as today
          returning id, settled_day
        )
        insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
        select id, ${leaderId}, true, ${now}, settled_day + 1 from made
        returning group_id as "groupId"`.execute(db);
      return rows[0]?.groupId as GroupId;
    },

    /** A text that stays as it is keeps its author. */
    async edit(
      db: Database,
      groupId: GroupId,
      choices: GroupChoices,
      leaderId: UserId,
    ): Promise<void> {
      await sql`
        update study_group
        set (${choiceColumns}) = (select ${choiceValues(choices)}),
            name_by = case when name = ${choices.name} then name_by else ${leaderId} end,
            goal_by = case when goal = ${choices.goal} then goal_by else ${leaderId} end
        where id = ${groupId}`.execute(db);
    },

    /** A notice that stays as it is keeps its author. */
    async setNotice(
      db: Database,
      groupId: GroupId,
      notice: string,
      { leaderId, now }: { readonly leaderId: UserId; readonly now: Date },
    ): Promise<void> {
      await sql`
        update study_group
        set notice = ${notice}, notice_at = ${notice === '' ? null : now},
            notice_by = case when notice = ${notice} then notice_by else ${leaderId} end
        where id = ${groupId}`.execute(db);
    },

    async setInvitation(db: Database, groupId: GroupId, invitation: string): Promise<void> {
      await sql`
        update study_group set invitation = ${invitation} where id = ${groupId}`.execute(db);
    },

    /** The groups of a learner. */
    async findOwn(userId: UserId, now: Date): Promise<OwnGroup[]> {
      const { rows } = await sql<GroupRow & Omit<OwnGroup, keyof GroupCard>>`
        select ${groupColumns(userId, now)}, own.is_leader as "isLeader",
               ${waiting} as waiting,
               ${waitingNudge(userId, now)} as "nudgedBy",
               ${nextSession(userId, now)} as "nextSession"
        from group_member as own join study_group as g on g.id = own.group_id
        where own.user_id = ${userId}
        order by focusing desc, own.joined_at, g.id`.execute(database);
      return rows.map((row) => {
        const { roomId, isLeader, waiting: asking, nudgedBy, nextSession: next } = row;
        return { ...cardOf(row), roomId, isLeader, waiting: asking, nudgedBy, nextSession: next };
      });
    },

    /** A page of the listed groups that a learner can join now; members with a block count as in `groupColumns`. */
    async findListed(userId: UserId, { page, category, text = '' }: Search, now: Date) {
      const pattern = `%${text.trim().replace(/[\\%_]/gu, '\\$&')}%`;
      const isSearched = sql`and (g.name ilike ${pattern} or g.goal ilike ${pattern})`;
      const { rows } = await sql<GroupRow & { total: number }>`
        with found as materialized (
          select g.id from study_group as g
          where g.is_listed ${category === undefined ? sql`` : sql`and g.category = ${category}`}
            ${text.trim() === '' ? sql`` : isSearched} and not ${isApartFromLeader(userId)}
            and ${isEntered(now)}
        ), busy as materialized (
          select group_id, count(*) as learners from found join group_member on group_id = found.id
          where user_id in ${focusingLearners(now)} and not ${isBlockedPair(userId, sql.ref('user_id'))}
          group by group_id
        ), chosen as materialized (
          select found.id, coalesce(busy.learners, 0) as learners, count(*) over ()::integer as total
          from found left join busy on busy.group_id = found.id
          order by learners desc, found.id desc
          limit ${GROUPS_PER_PAGE} offset ${(page - 1) * GROUPS_PER_PAGE}
        )
        select ${groupColumns(userId, now)}, chosen.total from chosen join study_group as g using (id)
        order by chosen.learners desc, g.id desc`.execute(database);
      return { groups: rows.map(cardOf), total: rows[0]?.total ?? 0 };
    },

    /** A group and a learner's relation to it; by its number, or by the secret of its link. */
    async findStanding(
      userId: UserId,
      by: { groupId: GroupId } | { invitation: string },
      now: Date,
    ) {
      type Row = GroupRow & { standing: GroupStanding; isApart: boolean };
      const { rows } = await sql<Row>`
        select ${groupColumns(userId, now)}, ${isApartFromLeader(userId)} as "isApart",
               case when own.user_id is not null then 'member'
                    when request.user_id is null then 'none'
                    when request.declined_at is null then 'waiting'
                    when request.declined_at > ${declinedSince(now)} then 'declined'
                    else 'none' end as standing
        from study_group as g
        left join group_member as own on own.group_id = g.id and own.user_id = ${userId}
        left join group_request as request on request.group_id = g.id and request.user_id = ${userId}
        where ${'groupId' in by ? sql`g.id = ${by.groupId}` : sql`g.invitation = ${by.invitation}`}
      `.execute(database);
      const [row] = rows;
      return row ? { group: cardOf(row), standing: row.standing, isApart: row.isApart } : null;
    },

    /** A group as its members read it; null for anybody else. */
    async read(userId: UserId, groupId: GroupId, now: Date): Promise<ReadGroup | null> {
      const { rows } = await sql<ReadGroup>`
        select ${groupColumns(userId, now)}, g.notice, g.notice_at as "noticeAt", g.settled_ms as "settledMs",
               today.day::text as today, today.begins_at as "dayStartsAt", today.ends_at as "dayEndsAt",
               ${groupDayBegin(sql`date_trunc('week', today.day::timestamp)::date`)} as "weekStartsAt",
               ${waiting} as waiting,
               g.invitation, own.is_leader as "isLeader", own.refuses_nudges as "refusesNudges", own.calendar,
               (
                 select coalesce(json_agg(day::text order by day), '[]') from group_excuse as excuse
                 where excuse.user_id = own.user_id and excuse.group_id = g.id and excuse.day > today.day
               ) as "excusedDays",
               ${waitingNudge(userId, now)} as "nudgedBy",
               (
                 select nickname from ${userCards} as card
                 where card.user_id = own.led_from and own.is_leader and ${isActive(sql.ref('own.led_from'))}
                   and not ${isBlockedPair(userId, sql.ref('own.led_from'))}
               ) as "ledFrom"
        from group_member as own join study_group as g on g.id = own.group_id
        cross join lateral ${groupToday(now)} as today
        where own.user_id = ${userId} and own.group_id = ${groupId}`.execute(database);
      return rows[0] ?? null;
    },

    /** The members of a group, as one of them reads them. */
    async readMembers(userId: UserId, groupId: GroupId, now: Date): Promise<ReadMember[]> {
      const { rows } = await sql<ReadMember>`
        with ${openDays(groupId, now)}
        select m.user_id as "userId", card.nickname, card.profile_image as "profileImage",
               m.is_leader as "isLeader", m.joined_at as "joinedAt",
               case when place.user_id is null then 'absent'
                    else coalesce(running.status, 'pause') end as state,
               place.room_id is not distinct from g.room_id as "isInRoom",
               -- On days that are stored it is in the numbers of these.
               case when running.status = 'focus'
                 then greatest(running.started_at, (select min(begins_at) from d)) end as "runningSince",
               live.today_ms as "todayMs", live.week_ms + settled.week_ms as "weekMs",
               case when not block.is_between then live.total_ms else 0 end as "liveMs",
               case when not block.is_between then live.week_until_now_ms else 0 end + settled.week_ms
                 as "weekUntilNowMs",
               ${isStaying(sql.ref('m.user_id'))} as "isStaying",
               m.is_leader and ${isActive(sql.ref('m.user_id'))} as "canLead",
               block.is_between as "isHidden",
               m.user_id <> ${userId} and not m.refuses_nudges and place.user_id is null
                 and not exists (
                   select from group_nudge as nudge
                   where from_id = ${userId} and to_id = m.user_id and ${isOfToday('nudge', groupId, now)}
                 ) as "canBeNudged"
        from g join group_member as m on m.group_id = g.id
        join ${userCards} as card using (user_id)
        left join room_member as place on place.user_id = m.user_id
        cross join lateral (
          select ${isBlockedPair(userId, sql.ref('m.user_id'))} as is_between
        ) as block
        left join lateral (
          select status, started_at from ${runningIntervals(sql`m.user_id`, now)} as running
          order by started_at desc limit 1
        ) as running on true
        cross join lateral (
          select coalesce(sum(closed_ms) filter (where day = g.today), 0)::bigint as today_ms,
                 coalesce(sum(closed_ms) filter (where day >= g.monday), 0)::bigint as week_ms,
                 coalesce(sum(focus_ms) filter (where day >= g.monday), 0)::bigint as week_until_now_ms,
                 coalesce(sum(counted.total_ms), 0)::bigint as total_ms
          from ${countedDays(sql`d`, now)} as counted where day >= m.joined_day
        ) as live
        cross join lateral (
          select coalesce(sum(focus_ms), 0)::bigint as week_ms from group_day
          where group_day.user_id = m.user_id and group_day.group_id = g.id and day >= g.monday
        ) as settled
        order by m.joined_at, m.user_id`.execute(database);
      return rows;
    },
  };
}

export type GroupsRepository = ReturnType<typeof createGroupsRepository>;
