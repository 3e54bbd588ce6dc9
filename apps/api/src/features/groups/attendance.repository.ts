import type {
  AttendanceRule,
  AttendanceStatus,
  GroupId,
  StudyDay,
  StudyMonth,
  UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices, SLICE_ROWS } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { finalUntil, msBetween } from '../focus/index.ts';
import { isStaying, ruleOfGroup } from './group-rows.ts';
import { countedDays, groupDayBegin, groupDays, openDays } from './group-times.ts';

/** A day that is not settled. */
interface LiveDay {
  readonly day: StudyDay;
  readonly focusMs: number;
  /** Focus since the member joined: the part of the day that counts for the group's total. */
  readonly totalMs: number;
  /** Time present in the window of the rule, and how long that lasts. */
  readonly presentMs: number;
  readonly windowMs: number;
  /** Whether the day, and the window of a rule of presence, has ended. */
  readonly isOver: boolean;
}

/** A day that is settled. */
type SettledDay = readonly [day: StudyDay, focusMs: number, status: AttendanceStatus];

/** The days of a member. */
export interface MemberDays {
  readonly userId: UserId;
  readonly rule: AttendanceRule;
  readonly joinedDay: StudyDay;
  readonly keptRow: number;
  readonly today: StudyDay;
  /** First day of the month that is read. */
  readonly firstDay: StudyDay;
  readonly settled: readonly SettledDay[];
  /** Every day after the settled ones, up to today. */
  readonly live: readonly LiveDay[];
  /** Days of the month, and live ones. */
  readonly excused: readonly StudyDay[];
}

/** A settled day of a member, to be stored. */
export interface StoredDay {
  readonly userId: UserId;
  readonly day: StudyDay;
  readonly focusMs: number;
  readonly totalMs: number;
  readonly status: AttendanceStatus;
}

/** A group with days that can be stored, which ended until this moment. */
interface DueGroup {
  readonly groupId: GroupId;
  readonly until: Date;
}

interface Reading {
  readonly groupId: GroupId;
  readonly now: Date;
  /** Of the calendar of the group; null for that of today. */
  readonly month: StudyMonth | null;
  /** The reader, a member; null for all members. */
  readonly readerId: UserId | null;
}

/** SQL for a list of days, each as `fields` make it. */
const list = (fields: RawBuilder<unknown>, rows: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(${fields} order by day), '[]') from ${rows}
)`;

/** SQL for whether a day `d` of `g` is over, with the window of a rule of presence. */
const isOver = (now: Date) => sql`(
  greatest(d.ends_at, case when g.rule_kind = 'present' then d.window_until else d.ends_at end)
    <= ${now}::timestamptz
)`;

/** SQL for the end of the day after the settled ones of `g`, and of its window. */
const firstOpenDay = groupDays(sql`g.settled_day + 1`, sql`g.settled_day + 1`);

/** The queries that store days that are over. */
export function createAttendanceRepository(database: Database) {
  return {
    /** The days of each member of a group: stored ones of a month, and those that are not stored yet from intervals. */
    async findDays(
      { groupId, now, month, readerId }: Reading,
      db: Database = database,
    ): Promise<MemberDays[]> {
      const firstDay = sql`coalesce(${month === null ? null : `${month}-01`}::date, date_trunc('month', g.today::timestamp)::date)`;
      const isReader = sql`exists (
        select from group_member where group_id = ${groupId} and user_id = ${readerId}
      )`;
      const isShown = sql`(m.user_id = ${readerId} or ${isStaying(sql.ref('m.user_id'))}
        and not ${isBlockedPair(sql`${readerId}::bigint`, sql.ref('m.user_id'))})`;
      const { rows } = await sql<MemberDays>`
        with ${openDays(groupId, now)}
        select m.user_id as "userId", m.joined_day::text as "joinedDay", m.kept_row as "keptRow",
               g.today::text as today, read.first_day::text as "firstDay", ${ruleOfGroup} as rule,
               ${list(
                 sql`json_build_array(day::text, focus_ms, status)`,
                 sql`group_day where user_id = m.user_id and group_id = g.id
                     and day >= read.first_day and day < read.first_day + interval '1 month'`,
               )} as settled,
               ${list(
                 sql`json_build_object('day', day::text, 'focusMs', focus_ms, 'totalMs', total_ms,
                       'presentMs', present_ms, 'windowMs', ${msBetween(sql`window_from`, sql`window_until`)}, 'isOver', ${isOver(now)})`,
                 sql`${countedDays(sql`d`, now)} as counted join d using (day)`,
               )} as live,
               ${list(
                 sql`day::text`,
                 sql`group_excuse where user_id = m.user_id and group_id = g.id
                     and (day > g.settled_day or day >= read.first_day)`,
               )} as excused
        from g cross join lateral (select ${firstDay} as first_day) as read
        join group_member as m on m.group_id = g.id
        where ${readerId === null ? sql`true` : sql`${isReader} and ${isShown}`}
        order by m.joined_at, m.user_id`.execute(db);
      return rows;
    },

    /**
     * Groups, or one group, with a day that ended before `before` and is not stored, and until when their days can
     * be: a running interval of a member may be closed later with another end, but not before `finalUntil`.
     */
    async findDue(
      before: Date,
      groupId: GroupId | null,
      db: Database = database,
    ): Promise<DueGroup[]> {
      const isAsked = groupId === null ? sql`true` : sql`group_id = ${groupId}`;
      const { rows } = await sql<DueGroup>`
        with busy as (
          select group_id, min(final_until) as final_until
          from group_member join ${finalUntil} as running using (user_id)
          where ${isAsked} group by group_id
        )
        select g.id as "groupId", least(${before}, busy.final_until) as until
        from study_group as g left join busy on busy.group_id = g.id
        cross join lateral ${firstOpenDay} as d
        where greatest(d.ends_at, d.window_until) <= least(${before}, busy.final_until)
          and ${groupId === null ? sql`true` : sql`g.id = ${groupId}`}
        order by g.settled_day, g.id limit ${SLICE_ROWS}`.execute(db);
      return rows;
    },

    /** Stores days of all members, their rows of kept days, and the last day of these. */
    async store(
      db: Database,
      groupId: GroupId,
      lastDay: StudyDay,
      days: readonly StoredDay[],
      keptRows: ReadonlyMap<UserId, number>,
      now: Date,
    ): Promise<void> {
      const stored = days.filter(({ focusMs, status }) => focusMs > 0 || status !== 'none');
      const totalMs = days.reduce((sum, day) => sum + day.totalMs, 0);
      await sql`
        with stored as (
          insert into group_day (group_id, settled_at, user_id, day, focus_ms, status)
          select ${groupId}, ${now}::timestamptz, * from unnest(
            ${stored.map(({ userId }) => userId)}::bigint[], ${stored.map(({ day }) => day)}::date[],
            ${stored.map((day) => day.focusMs)}::bigint[], ${stored.map(({ status }) => status)}::text[]
          )
        ), counted as (
          update group_member set kept_row = row.kept
          from unnest(${[...keptRows.keys()]}::bigint[], ${[...keptRows.values()]}::integer[])
            as row (user_id, kept)
          where group_id = ${groupId} and group_member.user_id = row.user_id
            and group_member.kept_row <> row.kept
        )
        update study_group set settled_day = ${lastDay}::date, settled_ms = settled_ms + ${totalMs}::bigint
        where id = ${groupId}`.execute(db);
    },

    /** Excuses a member from a day, or takes it back; false if the day has begun or is too far away. */
    async excuse(
      userId: UserId,
      groupId: GroupId,
      day: StudyDay,
      { isExcused, now, daysMax }: { isExcused: boolean; now: Date; daysMax: number },
    ): Promise<boolean> {
      const chosen = sql`
        select own.user_id, own.group_id from group_member as own join study_group as g on g.id = own.group_id
        where own.user_id = ${userId} and own.group_id = ${groupId}
          and ${groupDayBegin(sql`${day}::date`)} > ${now}
          and ${day}::date <= (${now}::timestamptz at time zone g.time_zone)::date + ${daysMax}::integer`;
      const change = isExcused
        ? sql`
            insert into group_excuse (user_id, group_id, day, said_at)
            select user_id, group_id, ${day}::date, ${now} from chosen on conflict do nothing`
        : sql`
            delete from group_excuse using chosen
            where group_excuse.user_id = chosen.user_id and group_excuse.group_id = chosen.group_id
              and day = ${day}::date`;
      const { rows } = await sql`
        with chosen as (${chosen}), changed as (${change}) select from chosen`.execute(database);
      return rows.length > 0;
    },

    /** Deletes attendance that was stored, and excuses that were made, before these moments. */
    async deleteOld(settledBefore: Date, saidBefore: Date): Promise<void> {
      await deleteInSlices(database, 'group_day', sql`settled_at < ${settledBefore}`);
      await deleteInSlices(database, 'group_excuse', sql`said_at < ${saidBefore}`);
    },
  };
}
