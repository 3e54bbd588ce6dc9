import type { StudyDay, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';

/** The beginning of a learner's days: columns or values of a time zone and minutes after midnight. */
interface DayRule {
  readonly timeZone: RawBuilder<unknown>;
  readonly dayStartMinutes: RawBuilder<unknown>;
}

/** SQL for the first moment of a learner's day. */
export function dayBegin(day: RawBuilder<unknown>, { timeZone, dayStartMinutes }: DayRule) {
  return sql`((${day}::timestamp + make_interval(mins => ${dayStartMinutes})) at time zone ${timeZone})`;
}

/** SQL for the learner's local date, with the day start subtracted. */
function wallDate(moment: RawBuilder<unknown>, { timeZone, dayStartMinutes }: DayRule) {
  return sql`((${moment} at time zone ${timeZone}) - make_interval(mins => ${dayStartMinutes}))::date`;
}

/** SQL for the first moments of learner's days: (day, begins_at, ends_at). */
function bounds(days: RawBuilder<unknown>, rule: DayRule): RawBuilder<unknown> {
  const day = sql`candidate.day::date`;
  return sql`(
    select ${day} as day, ${dayBegin(day, rule)} as begins_at,
           ${dayBegin(sql`(${day} + 1)`, rule)} as ends_at
    from ${days} as candidate (day)
  )`;
}

/**
 * SQL for the learner's days that touch a span of time, each with its first moment and that of the next. A
 * neighbour on each side is tried too, because a zone that sets its clocks back at midnight shows yesterday's
 * date again when the new day has begun.
 */
function learnerDays(from: RawBuilder<unknown>, to: RawBuilder<unknown>, rule: DayRule) {
  const [first, last] = [sql`${wallDate(from, rule)} - 1`, sql`${wallDate(to, rule)} + 1`];
  return bounds(
    sql`generate_series((${first})::timestamp, (${last})::timestamp, interval '1 day')`,
    rule,
  );
}

/**
 * SQL for the span of a period of a learner's days, both included: (begins_at, ends_at). A day ends where the
 * next begins, so intervals cut to the span equal the pieces of its days.
 * @param rule the relation with the columns time_zone and day_start_minutes.
 */
export function periodSpan(from: StudyDay, to: StudyDay, rule: string): RawBuilder<unknown> {
  return sql`(
    select ${dayBegin(sql`${from}::date`, ruleOf(rule))} as begins_at,
           ${dayBegin(sql`(${to}::date + 1)`, ruleOf(rule))} as ends_at
  )`;
}

function ruleOf(relation: string): DayRule {
  return {
    timeZone: sql.ref(`${relation}.time_zone`),
    dayStartMinutes: sql.ref(`${relation}.day_start_minutes`),
  };
}

/** SQL for the learner's day of a moment: (day, begins_at, ends_at). */
export function learnerDay(moment: RawBuilder<unknown>, rule: DayRule): RawBuilder<unknown> {
  // A list of a length known to the planner: for a series it expects a thousand rows.
  const nearby = sql`(select ${wallDate(moment, rule)} + step from unnest(array[-1, 0, 1]) as step)`;
  return sql`(
    select * from ${bounds(nearby, rule)} as learner_day
    where learner_day.begins_at <= ${moment} and ${moment} < learner_day.ends_at
  )`;
}

/** SQL for a moment as whole milliseconds since 1970. */
export const epochMs = (moment: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(extract(epoch from ${moment}) * 1000)::bigint`;

/** SQL for whole milliseconds between two moments. */
export function msBetween(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(extract(epoch from ${to}::timestamptz - ${from}::timestamptz) * 1000)::bigint`;
}

/**
 * SQL for a learner's closed intervals that overlap with a span, and at most one before it. They never
 * overlap each other, so only the last one that began before a span can reach into it.
 */
export function closedTouching(
  userId: UserId | RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select * from focus_interval
    where user_id = ${userId} and started_at < ${to} and started_at >= coalesce((
      select max(started_at) from focus_interval where user_id = ${userId} and started_at <= ${from}
    ), ${from})
  )`;
}

/**
 * SQL that cuts intervals at the learners' day starts: (user_id, status, subject_id, day, ms), without empty
 * pieces. The pieces of an interval add up to it.
 * @param intervals a relation with user_id, status, subject_id, started_at, ended_at, time_zone and
 *   day_start_minutes.
 */
export function dayPieces(intervals: RawBuilder<unknown>): RawBuilder<unknown> {
  const days = learnerDays(sql`whole.started_at`, sql`whole.ended_at`, ruleOf('whole'));
  const [from, to] = [
    sql`greatest(whole.started_at, learner_day.begins_at)`,
    sql`least(whole.ended_at, learner_day.ends_at)`,
  ];
  return sql`
    select whole.user_id, whole.status, whole.subject_id, learner_day.day, ${msBetween(from, to)} as ms
    from ${intervals} as whole cross join lateral ${days} as learner_day
    where ${from} < ${to}`;
}
