import type { DayFocus, StudyDay, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  closedTouching,
  currentDay,
  dayPieces,
  runningWithRecord,
  weekBefore,
} from '../focus/index.ts';

export interface WeeksRow {
  readonly today: StudyDay;
  readonly thisWeek: DayFocus[];
  readonly lastWeek: DayFocus[];
  readonly lastWeekUntil: Date;
  readonly hasEarlier: boolean;
}

/** The largest difference from a moment back to the beginning of its learner's day. */
const DAY_AND_SLACK = sql`interval '2 days'`;

/**
 * SQL for this week so far and last week up to the same moment. Whole days are read from their sums; only the
 * last day of last week is summed from its intervals, cut at that moment.
 */
export function weeksQuery(userId: UserId, now: Date): RawBuilder<WeeksRow> {
  const cut = (intervals: RawBuilder<unknown>) => sql`
    select part.user_id, part.status, part.started_at,
           least(part.ended_at, span.until_at) as ended_at, part.time_zone, part.day_start_minutes,
           part.subject_id
    from span cross join lateral ${intervals} as part
    where part.status = 'focus' and part.started_at < span.until_at`;
  const closed = closedTouching(
    userId,
    sql`(span.until_at - ${DAY_AND_SLACK})`,
    sql`span.until_at`,
  );
  const daysWhere = (condition: RawBuilder<boolean>) => sql`(
    select coalesce(json_agg(json_build_object('day', day, 'focusMs', ms) order by day), '[]')
    from (
      select day, sum(ms)::bigint as ms from counted cross join span
      where ${condition} group by day having sum(ms) > 0
    ) as summed
  )`;
  return sql<WeeksRow>`
    with record as (
      select * from (select ${userId}::bigint as asked) as one
      left join study_record on user_id = asked
    ),
    span as (
      select today.day as today, date_trunc('week', today.day::timestamp)::date as monday,
             today.day - 7 as last_day, ${weekBefore(now)} as until_at
      from record cross join lateral ${currentDay(now)} as today
    ),
    running as (
      select running.* from record cross join lateral ${runningWithRecord(userId, now)} as running
    ),
    counted as (
      select day, focus_ms as ms from study_day cross join span
      where user_id = ${userId} and day >= span.monday - 7 and day <> span.last_day
      union all
      select day, ms from (${dayPieces(sql`running`)}) as piece cross join span
      where status = 'focus' and day >= span.monday - 7 and day <> span.last_day
      union all
      select day, ms from (${dayPieces(sql`(${cut(closed)} union all ${cut(sql`(select * from running)`)})`)}) as piece
      cross join span
      where day = span.last_day
    )
    select span.today::text as today, span.until_at as "lastWeekUntil",
           ${daysWhere(sql`day between span.monday and span.today`)} as "thisWeek",
           ${daysWhere(sql`day between span.monday - 7 and span.last_day`)} as "lastWeek",
           exists (
             select from study_day
             where user_id = ${userId} and day < span.monday and focus_ms > 0
           ) as "hasEarlier"
    from span`;
}
