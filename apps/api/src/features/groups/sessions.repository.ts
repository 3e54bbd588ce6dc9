import {
  GROUPS,
  type GroupId,
  type GroupSession,
  SESSION_REMINDER_MINUTES,
  type SessionDay,
  type SessionId,
  type SessionPlan,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices, SLICE_ROWS } from '../../platform/database/index.ts';
import { isActive } from './group-rows.ts';
import { dayOf, daysOf, isShownTo, timesOfDay } from './session-days.ts';

/** A member to remind of a session. */
interface Reminder {
  readonly userId: UserId;
  readonly groupId: GroupId;
  readonly groupName: string;
  readonly sessionId: SessionId;
  readonly day: StudyDay;
  readonly startsAt: Date;
}

/** A member's answer whether they come to a session on a day. */
export interface Coming {
  readonly groupId: GroupId;
  readonly sessionId: SessionId;
  readonly day: StudyDay;
  readonly isComing: boolean;
}

/** The sessions of a group as a calendar shows them. */
export interface CalendarSession extends SessionPlan {
  readonly sessionId: SessionId;
  readonly madeAt: Date;
  /** The first day on or after the one on which it was made. */
  readonly firstDay: StudyDay;
}

/** SQL for the times of a session as the contract has them. */
const planColumns = sql`s.days, s.from_minute as "fromMinute", s.until_minute as "untilMinute"`;

/** The only queries on sessions. */
export function createSessionsRepository(database: Database) {
  return {
    /** Adds a session unless the group has as many as it may; the group is locked. */
    async insert(db: Database, groupId: GroupId, plan: SessionPlan, now: Date) {
      const days = [...new Set(plan.days)].toSorted((one, other) => one - other);
      const { rows } = await sql<{ sessionId: SessionId }>`
        insert into group_session (group_id, days, from_minute, until_minute, made_at)
        select ${groupId}, ${days}::integer[], ${plan.fromMinute}, ${plan.untilMinute}, ${now}
        where (select count(*) from group_session where group_id = ${groupId}) < ${GROUPS.sessionsMax}
        returning id as "sessionId"`.execute(db);
      return rows[0]?.sessionId ?? null;
    },

    async remove(db: Database, groupId: GroupId, sessionId: SessionId): Promise<void> {
      await sql`
        delete from group_session where id = ${sessionId} and group_id = ${groupId}`.execute(db);
    },

    /** The sessions of a group with their days around now, without people hidden from the reader. */
    async find(readerId: UserId, groupId: GroupId, now: Date): Promise<GroupSession[]> {
      const span = GROUPS.sessionDays;
      const days = daysOf(
        sql`${dayOf(now)} - ${span}::integer`,
        sql`${dayOf(now)} + ${span}::integer`,
      );
      const ids = (which: RawBuilder<unknown>) => sql`(
        select coalesce(json_agg(said.user_id order by said.user_id), '[]')
        from group_session_day as said
        where said.session_id = s.id and said.day = d.day and ${which} and ${isShownTo(readerId)}
      )`;
      type Row = SessionPlan & {
        sessionId: SessionId;
        occurrences: (SessionDay & { isOver: boolean })[];
      };
      const { rows } = await sql<Row>`
        select s.id as "sessionId", ${planColumns}, (
          select coalesce(json_agg(json_build_object(
            ${timesOfDay},
            'comingIds', ${ids(sql`said.is_coming`)},
            'presentIds', ${ids(sql`said.came_at is not null`)},
            'isOver', d.ends_at <= ${now}
          ) order by d.day), '[]')
          from ${days} as d
          where d.ends_at > ${now} or exists (
            select from group_session_day as had
            where had.session_id = s.id and had.day = d.day and (had.is_coming or had.came_at is not null)
          )
        ) as occurrences
        from group_session as s join study_group as g on g.id = s.group_id
        where s.group_id = ${groupId} order by s.from_minute, s.id`.execute(database);
      return rows.map(({ occurrences, ...session }) => {
        const all = occurrences.map(({ isOver, ...day }) => ({ isOver, day }));
        const past = all.filter(({ isOver }) => isOver).map(({ day }) => day);
        const next = all.filter(({ isOver }) => !isOver).map(({ day }) => day);
        return { ...session, next, past: past.toReversed() };
      });
    },

    /** Records whether a member comes; false for a day without such a session, or one that is over or far away. */
    async sayComing(
      userId: UserId,
      { groupId, sessionId, day, isComing }: Coming,
      now: Date,
    ): Promise<{ readonly isFound: boolean; readonly hasChanged: boolean }> {
      const { rows } = await sql<{ isFound: boolean; hasChanged: boolean }>`
        with chosen as (
          select own.user_id, s.id, d.day, s.group_id, d.starts_at, d.ends_at
          from group_session as s join study_group as g on g.id = s.group_id
          join group_member as own on own.group_id = g.id and own.user_id = ${userId}
          cross join lateral ${daysOf(sql`${day}::date`, sql`${day}::date`)} as d
          where s.id = ${sessionId} and s.group_id = ${groupId} and d.ends_at > ${now}
            and d.day <= ${dayOf(now)} + ${GROUPS.sessionDays}::integer
        ), said as (
          insert into group_session_day as before
            (user_id, session_id, day, group_id, starts_at, ends_at, is_coming)
          select *, ${isComing}::boolean from chosen
          on conflict (user_id, session_id, day) do update set is_coming = excluded.is_coming
          where before.is_coming <> excluded.is_coming
          returning user_id
        )
        select exists (select from chosen) as "isFound", exists (select from said) as "hasChanged"
      `.execute(database);
      return rows[0] ?? { isFound: false, hasChanged: false };
    },

    /**
     * Takes the reminders of sessions that begin soon, each once on the whole site: another process finds none of
     * them. A member who says during a session that they come is not reminded of it.
     */
    async takeReminders(now: Date): Promise<Reminder[]> {
      const { rows } = await sql<Reminder>`
        with due as (
          select user_id, session_id, day from group_session_day
          where is_coming and reminded_at is null and starts_at > ${now}
            and starts_at <= ${now}::timestamptz + make_interval(mins => ${SESSION_REMINDER_MINUTES}::integer)
          order by starts_at limit ${SLICE_ROWS} for update skip locked
        ), taken as (
          update group_session_day as said set reminded_at = ${now} from due
          where said.user_id = due.user_id and said.session_id = due.session_id and said.day = due.day
          returning said.*
        )
        select taken.user_id as "userId", taken.group_id as "groupId", g.name as "groupName",
               taken.session_id as "sessionId", taken.day::text as day, taken.starts_at as "startsAt"
        from taken join study_group as g on g.id = taken.group_id`.execute(database);
      return rows;
    },

    /** Records the members seated in their group's room during one of its sessions. */
    async notePresent(now: Date): Promise<void> {
      const days = daysOf(sql`${dayOf(now)} - 1`, dayOf(now));
      await sql`
        insert into group_session_day as said
          (user_id, session_id, day, group_id, starts_at, ends_at, is_coming, came_at)
        select m.user_id, s.id, d.day, s.group_id, d.starts_at, d.ends_at, false, ${now}
        from group_session as s join study_group as g on g.id = s.group_id
        cross join lateral ${days} as d
        join room_member as place on place.room_id = g.room_id
        join group_member as m on m.group_id = g.id and m.user_id = place.user_id
        where d.starts_at <= ${now} and ${now} < d.ends_at
        on conflict (user_id, session_id, day) do update set came_at = excluded.came_at
        where said.came_at is null`.execute(database);
    },

    /** The sessions of the group of a calendar; null for a secret that opens nothing. */
    async findCalendar(calendar: string) {
      type Row = { groupId: GroupId; name: string; timeZone: string; sessions: CalendarSession[] };
      const { rows } = await sql<Row>`
        select g.id as "groupId", g.name, g.time_zone as "timeZone", (
          select coalesce(json_agg(json_build_object(
            'sessionId', s.id, 'days', s.days, 'fromMinute', s.from_minute,
            'untilMinute', s.until_minute, 'madeAt', s.made_at, 'firstDay', (
              select min(d.day)::text from ${daysOf(
                sql`(s.made_at at time zone g.time_zone)::date`,
                sql`(s.made_at at time zone g.time_zone)::date + 6`,
              )} as d
            )) order by s.id), '[]')
          from group_session as s where s.group_id = g.id
        ) as sessions
        from group_member as m join study_group as g on g.id = m.group_id
        where m.calendar = ${calendar} and ${isActive(sql.ref('m.user_id'))}`.execute(database);
      return rows[0] ?? null;
    },

    async setCalendar(userId: UserId, groupId: GroupId, calendar: string | null): Promise<void> {
      await sql`
        update group_member set calendar = ${calendar}
        where user_id = ${userId} and group_id = ${groupId}`.execute(database);
    },

    /** Deletes days of sessions before `before`. */
    deleteOld: (before: Date) =>
      deleteInSlices(database, 'group_session_day', sql`ends_at < ${before}`),
  };
}

export type SessionsRepository = ReturnType<typeof createSessionsRepository>;
