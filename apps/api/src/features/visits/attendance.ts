import { ATTENDANCE_MIN_MS } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';

/** SQL for whether a day with this focus is attended: from one minute on. */
export function isAttended(focusMs: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${focusMs} >= ${ATTENDANCE_MIN_MS})`;
}

/**
 * SQL for attendance, from runs of attended days: (user_id, attendance_days, streak_days,
 * longest_streak_days, last_attended_day). Consecutive runs end on days that differ from the number of days
 * so far by the same amount.
 * @param runs a relation with user_id, last_day and length in days; no day is in two of them.
 */
export function attendanceOf(runs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select user_id, sum(length)::integer as attendance_days, max(length)::integer as longest_streak_days,
           (array_agg(length order by last_day desc))[1]::integer as streak_days,
           max(last_day) as last_attended_day
    from (
      select user_id, sum(length) as length, max(last_day) as last_day
      from (
        select user_id, last_day, length,
               last_day - sum(length) over (partition by user_id order by last_day)::integer as streak
        from ${runs} as run
      ) as placed
      group by user_id, streak
    ) as streaks
    group by user_id`;
}

/**
 * SQL for a learner's attendance today: the columns of `attendanceOf`, and streak_now, which is 0 after a
 * missed day. The learner's row of study_record, or nulls, is `record` in the surrounding query; its latest
 * streak is the run that new days may extend.
 * @param newDays a relation with the days (user_id, day) that the running interval adds to those of the
 *   record.
 */
export function attendanceWith(
  newDays: RawBuilder<unknown>,
  today: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const runs = sql`(
    select record.user_id, record.last_attended_day as last_day, record.streak_days as length
    where record.last_attended_day is not null
    union all select user_id, day, 1 from ${newDays} as new_day
  )`;
  return sql`(
    select coalesce(record.attendance_days, 0) + coalesce(latest.attendance_days, 0)
             - case when record.last_attended_day is null then 0 else record.streak_days end
             as attendance_days,
           coalesce(latest.streak_days, 0) as streak_days,
           greatest(record.longest_streak_days, latest.longest_streak_days, 0) as longest_streak_days,
           latest.last_attended_day,
           case when ${today} - latest.last_attended_day <= 1 then latest.streak_days else 0 end
             as streak_now
    from (select) as one_row left join (${attendanceOf(runs)}) as latest on true
  )`;
}
