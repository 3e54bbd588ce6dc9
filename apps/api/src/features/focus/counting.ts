import { ATTENDANCE_MIN_MS } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { dayPieces } from './learner-days.ts';

/** SQL for whether a day with this focus is attended: from one minute on. */
export function isAttended(focusMs: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${focusMs} >= ${ATTENDANCE_MIN_MS})`;
}

/** SQL for whether a day becomes attended by adding focus to what it had. */
export function becomesAttended(
  beforeMs: RawBuilder<unknown>,
  addedMs: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(not ${isAttended(beforeMs)} and ${isAttended(sql`${beforeMs} + ${addedMs}`)})`;
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

/** SQL for the sums of each learner's days, from pieces of intervals. */
export function daySums(pieces: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select user_id, day,
           coalesce(sum(ms) filter (where status = 'focus'), 0)::bigint as focus_ms,
           coalesce(sum(ms) filter (where status = 'away'), 0)::bigint as away_ms
    from ${pieces} as piece
    where status <> 'pause'
    group by user_id, day`;
}

/** SQL for the focus of each learner's days by subject, from pieces of intervals. */
export function subjectDaySums(pieces: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select user_id, day, subject_id, sum(ms)::bigint as focus_ms
    from ${pieces} as piece
    where status = 'focus' and subject_id is not null
    group by user_id, day, subject_id`;
}

/**
 * The parts of a WITH clause that store intervals and add them to days and records, in the statement that
 * closes them: one fails, all fail. The relation `closed` comes before them: user_id, visit_id, status,
 * started_at, ended_at, is_silence, time_zone, day_start_minutes, subject_id (stored for focus only). An
 * empty interval leaves only its end.
 */
export const storeClosed: RawBuilder<unknown> = sql`
  stored as (
    insert into focus_interval (user_id, visit_id, status, started_at, ended_at, is_silence,
                                time_zone, day_start_minutes, subject_id)
    select user_id, visit_id, status, started_at, ended_at, is_silence, time_zone, day_start_minutes,
           case when status = 'focus' then subject_id end
    from closed where status <> 'idle' and ended_at > started_at
    returning user_id, status, started_at, ended_at, time_zone, day_start_minutes, subject_id
  ),
  piece as (${dayPieces(sql`stored`)}),
  day_sum as (${daySums(sql`piece`)}),
  day_rolled as (
    insert into study_day as known (user_id, day, focus_ms, away_ms)
    select user_id, day, focus_ms, away_ms from day_sum order by user_id, day
    on conflict (user_id, day) do update
    set focus_ms = known.focus_ms + excluded.focus_ms, away_ms = known.away_ms + excluded.away_ms
    returning user_id, day, focus_ms
  ),
  subject_rolled as (
    insert into study_subject_day as known (user_id, day, subject_id, focus_ms)
    select * from (${subjectDaySums(sql`piece`)}) as subject_sum order by user_id, day, subject_id
    on conflict (user_id, day, subject_id) do update set focus_ms = known.focus_ms + excluded.focus_ms
  ),
  newly_attending as (
    select distinct user_id from day_rolled join day_sum using (user_id, day)
    where ${becomesAttended(sql`day_rolled.focus_ms - day_sum.focus_ms`, sql`day_sum.focus_ms`)}
  ),
  attended as (
    select user_id, day as last_day, 1 as length from study_day
    where user_id in (select user_id from newly_attending) and ${isAttended(sql`focus_ms`)}
    union
    select user_id, day, 1 from day_rolled
    where user_id in (select user_id from newly_attending) and ${isAttended(sql`focus_ms`)}
  ),
  attendance as (${attendanceOf(sql`attended`)}),
  sum_rolled as (
    select user_id, sum(focus_ms) as focus_ms, sum(away_ms) as away_ms from day_sum group by user_id
  ),
  latest as (
    select distinct on (user_id) user_id, day, focus_ms from day_rolled order by user_id, day desc
  ),
  record_rolled as (
    insert into study_record as known
      (user_id, focus_ms, away_ms, attendance_days, streak_days, longest_streak_days,
       last_attended_day, latest_day, latest_day_focus_ms, counted_until)
    select ending.user_id, coalesce(sum_rolled.focus_ms, 0), coalesce(sum_rolled.away_ms, 0),
           coalesce(attendance_days, 0), coalesce(streak_days, 0), coalesce(longest_streak_days, 0),
           last_attended_day, latest.day, coalesce(latest.focus_ms, 0), ending.counted_until
    from (select user_id, max(ended_at) as counted_until from closed group by user_id) as ending
    left join sum_rolled using (user_id) left join latest using (user_id) left join attendance using (user_id)
    order by ending.user_id
    on conflict (user_id) do update
    set focus_ms = known.focus_ms + excluded.focus_ms,
        away_ms = known.away_ms + excluded.away_ms,
        (attendance_days, streak_days, longest_streak_days, last_attended_day) = (
          select row_of.* from (
            select excluded.attendance_days, excluded.streak_days, excluded.longest_streak_days,
                   excluded.last_attended_day where excluded.last_attended_day is not null
            union all
            select known.attendance_days, known.streak_days, known.longest_streak_days,
                   known.last_attended_day where excluded.last_attended_day is null
          ) as row_of
        ),
        latest_day_focus_ms = case
          when excluded.latest_day >= coalesce(known.latest_day, '-infinity')
          then excluded.latest_day_focus_ms else known.latest_day_focus_ms end,
        latest_day = greatest(known.latest_day, excluded.latest_day),
        counted_until = greatest(known.counted_until, excluded.counted_until)
  )`;
