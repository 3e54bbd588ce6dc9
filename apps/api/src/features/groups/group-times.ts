import type { GroupId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  closedTouching,
  dayBegin,
  learnerDay,
  msBetween,
  runningIntervals,
} from '../focus/index.ts';

/** The rule of days of `g`, a relation of study_group. */
const groupRule = {
  timeZone: sql.ref('g.time_zone'),
  dayStartMinutes: sql.ref('g.day_start_minutes'),
};

/** SQL for the present day of `g`: (day, begins_at, ends_at). */
export const groupToday = (now: Date): RawBuilder<unknown> =>
  learnerDay(sql`${now}::timestamptz`, groupRule);

/** SQL for the first moment of a day of `g`. */
export const groupDayBegin = (day: RawBuilder<unknown>): RawBuilder<Date> =>
  dayBegin(day, groupRule) as RawBuilder<Date>;

/** SQL for a time of day on a calendar day, in the zone of `g`. */
export const groupTime = (
  day: RawBuilder<unknown>,
  minute: RawBuilder<unknown>,
): RawBuilder<Date> => sql<Date>`
  ((${day}::timestamp + make_interval(mins => ${minute})) at time zone g.time_zone)`;

/** The calendar day on which the window of the rule begins: after midnight it belongs to the day before. */
const windowDay = sql`(span.day::date + (g.rule_from < g.day_start_minutes)::integer)`;

/**
 * SQL for days of `g`, each with its first moment, that of the next day, and the window of the rule of presence:
 * (day, begins_at, ends_at, window_from, window_until).
 */
export const groupDays = (
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select span.day::date as day,
         ${groupDayBegin(sql`span.day::date`)} as begins_at,
         ${groupDayBegin(sql`(span.day::date + 1)`)} as ends_at,
         ${groupTime(windowDay, sql`g.rule_from`)} as window_from,
         ${groupTime(sql`(${windowDay} + (g.rule_until <= g.rule_from)::integer)`, sql`g.rule_until`)} as window_until
  from generate_series((${from})::timestamp, (${to})::timestamp, interval '1 day') as span (day)
)`;

/**
 * Two parts of a WITH clause: `g`, a group with `today`, the moment at which that day `begins_at` and the `monday` of
 * its week, and `d`, its days that are not stored, up to today.
 */
export const openDays = (groupId: GroupId, now: Date): RawBuilder<unknown> => sql`
  g as materialized (
    select g.*, today.day as today, today.begins_at, date_trunc('week', today.day::timestamp)::date as monday
    from study_group as g cross join lateral ${groupToday(now)} as today where g.id = ${groupId}
  ), d as materialized (
    select day.* from g cross join lateral ${groupDays(sql`g.settled_day + 1`, sql`g.today`)} as day
  )`;

/** SQL for how long an interval `i` lasts within a span, in milliseconds. */
const msWithin = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  greatest(0, ${msBetween(sql`greatest(i.started_at, ${from})`, sql`least(i.ended_at, ${to})`)})`;

const isFocus = sql`i.status = 'focus'`;

/**
 * SQL for what a member `m` did on days of `g`, from their intervals in any room: (day, closed_ms, focus_ms,
 * total_ms, present_ms), a row for each day. `closed_ms` is without the running interval, `total_ms` the focus since
 * they joined; time added by hand is none of these intervals.
 * @param days a relation as `groupDays`.
 */
export function countedDays(days: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const userId = sql.ref('m.user_id');
  const from = sql`(select min(begins_at) from ${days} as first_day)`;
  const moment = sql`${now}::timestamptz`;
  const within = msWithin(sql`d.begins_at`, sql`d.ends_at`);
  return sql`(
    select d.day,
           coalesce(sum(${within}) filter (where ${isFocus} and not i.is_running), 0)::bigint as closed_ms,
           coalesce(sum(${within}) filter (where ${isFocus}), 0)::bigint as focus_ms,
           coalesce(sum(${msWithin(sql`greatest(d.begins_at, m.joined_at)`, sql`d.ends_at`)})
             filter (where ${isFocus}), 0)::bigint as total_ms,
           coalesce(sum(${msWithin(sql`d.window_from`, sql`d.window_until`)})
             filter (where i.status in ('focus', 'pause')), 0)::bigint as present_ms
    from ${days} as d left join (
      select status, started_at, ended_at, false as is_running
      from ${closedTouching(userId, from, moment)} as closed
      union all
      select status, started_at, ended_at, is_last from ${runningIntervals(userId, now)} as running
    ) as i on i.started_at < greatest(d.ends_at, d.window_until) and i.ended_at > d.begins_at
    group by d.day
  )`;
}
