import {
  ATTENDANCE_MIN_MS,
  TIME_OF_DAY_MIN_MS,
  type TitleFigure,
  timesOfDay,
  titleCatalogue,
  type UserId,
  WEEKEND_DAY_MIN_MS,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  attendanceWith,
  becomesAttended,
  closedTouching,
  countsSince,
  currentDay,
  dayPieces,
  firstPhaseChange,
  msBetween,
} from '../focus/index.ts';

/** Closed intervals of a learner that one statement evaluates. */
const INTERVALS_PER_LOOK = 200;

/**
 * Parts of a WITH clause: focus that has not been evaluated yet, as `fresh`. Closed intervals have the status
 * `focus`. The running interval has `running` and ends with the last proof of life: a silence after it may
 * still count as away, the time before may not.
 */
function freshFocus(userIds: readonly UserId[], now: Date): RawBuilder<unknown> {
  const startedAt = countsSince();
  // A phase of a schedule that ends it is stored some minutes later, and read then.
  const phaseAt = firstPhaseChange(startedAt);
  const endedAt = sql`least(seat.last_seen_at, ${now}::timestamptz, ${phaseAt})`;
  return sql`
    state as (
      select asked.user_id, coalesce(progress.checked_until, '-infinity') as checked_until,
             coalesce(progress.best_day_ms, 0) as best_day_ms
      from (select distinct unnest(${userIds}::bigint[]) as user_id) as asked
      left join title_progress as progress on progress.user_id = asked.user_id
    ),
    running as (
      select visit.user_id, 'running' as status, ${startedAt} as started_at, ${endedAt} as ended_at,
             visit.time_zone, visit.day_start_minutes, visit.subject_id
      from state
      join visit on visit.user_id = state.user_id and visit.ended_at is null
      join seat on seat.user_id = state.user_id
      left join study_record as record on record.user_id = state.user_id
      where visit.status = 'focus' and ${startedAt} < ${endedAt}
    ),
    fresh as (
      select one.*
      from state cross join lateral (
        select user_id, status, started_at, ended_at, time_zone, day_start_minutes, subject_id
        from focus_interval
        where focus_interval.user_id = state.user_id
          and focus_interval.started_at >= state.checked_until and status = 'focus'
        -- Few are that young, which the planner cannot know; a long history is evaluated in steps.
        order by focus_interval.started_at limit ${INTERVALS_PER_LOOK}
      ) as one
      union all select * from running
    )`;
}

/** SQL for the focus between two moments, closed and running: intervals of a learner never overlap. */
function focusBetween(
  userId: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<number> {
  const overlap = msBetween(
    sql`greatest(part.started_at, ${from})`,
    sql`least(part.ended_at, ${to})`,
  );
  return sql`(
    select coalesce(sum(${overlap}), 0)::bigint
    from (
      select started_at, ended_at from ${closedTouching(userId, from, to)} as closed
      where status = 'focus'
      union all
      select started_at, ended_at from running where running.user_id = ${userId}
    ) as part
    where part.started_at < ${to} and part.ended_at > ${from}
  )`;
}

const { night, dawn } = timesOfDay;

/**
 * Parts of a WITH clause: `study_days` touched by fresh focus, with all of their focus, running included; and
 * `occasion`, the dawns, nights and weekend days among them that count.
 */
function touchedDays(): RawBuilder<unknown> {
  const wallDate = (moment: string) =>
    sql`(${sql.ref(moment)} at time zone fresh.time_zone)::date::timestamp`;
  const hourOf = (hour: string) =>
    sql`((wall.day + make_interval(hours => ${sql.ref(hour)})) at time zone fresh.time_zone)`;
  const focusMs = focusBetween(sql`span.user_id`, sql`span.begins_at`, sql`span.ends_at`);
  return sql`
    touched as (
      select piece.user_id, piece.day,
             coalesce(sum(piece.ms) filter (where piece.status = 'running'), 0)::bigint as running_ms
      from (${dayPieces(sql`fresh`)}) as piece group by piece.user_id, piece.day
    ),
    study_days as (
      select touched.user_id, touched.day, touched.running_ms,
             -- Looked up day by day: whatever the planner guesses, it must not read everybody's.
             touched.running_ms + coalesce((
               select focus_ms from study_day as known
               where known.user_id = touched.user_id and known.day = touched.day
             ), 0) as focus_ms
      from touched
    ),
    span as (
      select distinct fresh.user_id, part.figure, wall.day::date as day,
             ${hourOf('part.from_hour')} as begins_at, ${hourOf('part.to_hour')} as ends_at
      from fresh
      cross join (values
        ('nights', ${night.fromHour}::integer, ${night.toHour}::integer),
        ('dawns', ${dawn.fromHour}, ${dawn.toHour})
      ) as part (figure, from_hour, to_hour)
      cross join lateral generate_series(
        ${wallDate('fresh.started_at')}, ${wallDate('fresh.ended_at')}, interval '1 day'
      ) as wall (day)
      where fresh.started_at < ${hourOf('part.to_hour')}
        and fresh.ended_at > ${hourOf('part.from_hour')}
    ),
    spanned as (select span.*, ${focusMs} as focus_ms from span),
    occasion as (
      select user_id, figure, day, focus_ms from spanned
      where focus_ms >= ${TIME_OF_DAY_MIN_MS}
      union all
      select user_id, 'weekendDays', day, focus_ms from study_days
      where extract(isodow from day) in (6, 7) and focus_ms >= ${WEEKEND_DAY_MIN_MS}
    )`;
}

/** Parts of a WITH clause: `attendance` of learners and all of their focus, running included; and today. */
function attendanceOfLearners(now: Date): RawBuilder<unknown> {
  const newDays = sql`(select user_id, day from newly_attended where user_id = state.user_id)`;
  return sql`
    newly_attended as (
      select user_id, day from study_days
      where ${becomesAttended(sql`focus_ms - running_ms`, sql`running_ms`)}
    ),
    attendance as (
      select state.user_id, today.day, today.ends_at as day_ends_at, attended.*,
             coalesce(record.focus_ms, 0) + coalesce((
               select sum(running_ms) from study_days where study_days.user_id = state.user_id
             ), 0) as focus_ms
      from state
      left join study_record as record on record.user_id = state.user_id
      cross join lateral ${currentDay(now)} as today
      cross join lateral ${attendanceWith(newDays, sql`today.day`)} as attended
    )`;
}

const thresholdsMs = (figure: TitleFigure) =>
  titleCatalogue.filter((title) => title.figure === figure).map((title) => title.threshold * 1_000);
const DAY_STEPS_MS = [ATTENDANCE_MIN_MS, WEEKEND_DAY_MIN_MS, ...thresholdsMs('bestDaySeconds')];
const TOTAL_STEPS_MS = thresholdsMs('focusSeconds');

/**
 * Part of a WITH clause: `next_evaluation` (user_id, at). While the same interval runs, a proof of life
 * that is older than this moment wins no title. No row where the moment is unknown: no interval runs, none of
 * it falls on today, or a long history is being evaluated in steps.
 */
export function nextEvaluation(): RawBuilder<unknown> {
  const untilNext = (steps: readonly number[], focusMs: RawBuilder<unknown>) => sql`(
    select min(step - ${focusMs}) from unnest(${steps}::bigint[]) as step where step > ${focusMs}
  )`;
  return sql`
    next_evaluation as (
      select running.user_id, least(
        -- What has come to its threshold today begins at nothing in the next day.
        attendance.day_ends_at,
        running.ended_at + interval '1 millisecond' * least(
          ${untilNext(DAY_STEPS_MS, sql`study_days.focus_ms`)},
          ${untilNext(TOTAL_STEPS_MS, sql`attendance.focus_ms`)},
          -- A dawn or night that is yet to begin needs all of it.
          ${TIME_OF_DAY_MIN_MS} - coalesce((
            select max(focus_ms) from spanned
            where spanned.user_id = running.user_id and spanned.ends_at > running.ended_at
              and focus_ms < ${TIME_OF_DAY_MIN_MS}
          ), 0)
        )
      ) as at
      from running
      join attendance on attendance.user_id = running.user_id
      join study_days on study_days.user_id = running.user_id
        and study_days.day = attendance.day and study_days.running_ms > 0
      where ${INTERVALS_PER_LOOK} > (
        select count(*) from fresh
        where fresh.user_id = running.user_id and fresh.status = 'focus'
      )
    )`;
}

/**
 * Parts of a WITH clause: `figure` (user_id, name, value), the figures that decide titles, each in its unit,
 * and `streakNow`, which is 0 once a day was missed. Stores new occasions as well.
 */
export function learnerFigures(userIds: readonly UserId[], now: Date): RawBuilder<unknown> {
  const occasions = (figure: string) => sql`(
    select count(*) from title_occasion as known
    where known.user_id = state.user_id and known.figure = ${sql.lit(figure)}
  ) + (
    select count(*) from marked
    where marked.user_id = state.user_id and marked.figure = ${sql.lit(figure)}
  )`;
  return sql`
    ${freshFocus(userIds, now)},
    ${touchedDays()},
    ${attendanceOfLearners(now)},
    marked as (
      insert into title_occasion (user_id, figure, day, focus_ms)
      select user_id, figure, day, focus_ms from occasion
      order by user_id, figure, day
      on conflict do nothing
      returning user_id, figure
    ),
    best as (
      select state.user_id, greatest(state.best_day_ms, max(study_days.focus_ms)) as best_day_ms
      from state left join study_days on study_days.user_id = state.user_id
      group by state.user_id, state.best_day_ms
    ),
    figure as (
      select state.user_id, number.name, number.value::bigint as value
      from state
      join attendance on attendance.user_id = state.user_id
      join best on best.user_id = state.user_id
      cross join lateral (values
        ('focusSeconds', trunc(attendance.focus_ms / 1000)),
        ('attendanceDays', attendance.attendance_days),
        ('streakDays', attendance.longest_streak_days),
        ('streakNow', attendance.streak_now),
        ('bestDaySeconds', best.best_day_ms / 1000),
        ('dawns', ${occasions('dawns')}),
        ('nights', ${occasions('nights')}),
        ('weekendDays', ${occasions('weekendDays')})
      ) as number (name, value)
    )`;
}
