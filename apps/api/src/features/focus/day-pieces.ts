import { type RawBuilder, sql } from 'kysely';

/** Where a learner's days begin: columns or values of a time zone and minutes after midnight. */
interface DayRule {
  readonly timeZone: RawBuilder<unknown>;
  readonly dayStartMinutes: RawBuilder<unknown>;
}

/** SQL for the first moment of a learner's day. */
function dayBegin(day: RawBuilder<unknown>, { timeZone, dayStartMinutes }: DayRule) {
  return sql`((${day}::timestamp + make_interval(mins => ${dayStartMinutes})) at time zone ${timeZone})`;
}

/** SQL for the date that the calendar on the learner's wall shows, the day start taken off. */
function wallDate(moment: RawBuilder<unknown>, { timeZone, dayStartMinutes }: DayRule) {
  return sql`((${moment} at time zone ${timeZone}) - make_interval(mins => ${dayStartMinutes}))::date`;
}

/**
 * SQL for the learner's days that touch a span of time, each with its first moment and that of the
 * next: (day, begins_at, ends_at). A neighbour on each side is tried too, because a zone that sets
 * its clocks back at midnight shows yesterday's date again when the new day has begun.
 */
export function learnerDays(
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
  rule: DayRule,
): RawBuilder<unknown> {
  const day = sql`candidate.day::date`;
  return sql`(
    select ${day} as day, ${dayBegin(day, rule)} as begins_at,
           ${dayBegin(sql`(${day} + 1)`, rule)} as ends_at
    from generate_series(
      (${wallDate(from, rule)} - 1)::timestamp, (${wallDate(to, rule)} + 1)::timestamp, interval '1 day'
    ) as candidate (day)
  )`;
}

/** SQL for whole milliseconds between two moments. */
export function msBetween(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(extract(epoch from ${to}::timestamptz - ${from}::timestamptz) * 1000)::bigint`;
}

/**
 * SQL that cuts intervals at the learners' day starts: (user_id, status, day, ms), nothing of it
 * empty. The pieces of an interval add up to it.
 * @param intervals a relation with user_id, status, started_at, ended_at, time_zone and
 * day_start_minutes.
 */
export function dayPieces(intervals: RawBuilder<unknown>): RawBuilder<unknown> {
  const rule = { timeZone: sql`whole.time_zone`, dayStartMinutes: sql`whole.day_start_minutes` };
  const days = learnerDays(sql`whole.started_at`, sql`whole.ended_at`, rule);
  const [from, to] = [
    sql`greatest(whole.started_at, learner_day.begins_at)`,
    sql`least(whole.ended_at, learner_day.ends_at)`,
  ];
  return sql`
    select whole.user_id, whole.status, learner_day.day, ${msBetween(from, to)} as ms
    from ${intervals} as whole cross join lateral ${days} as learner_day
    where ${from} < ${to}`;
}
