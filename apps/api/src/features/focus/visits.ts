import type { FocusClock, FollowedSchedule, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { storeClosed } from './counting.ts';
import { epochMs, msBetween } from './learner-days.ts';

/**
 * SQL for the moment since which an open `visit` counts: never before the end of the counted time.
 * @param record the relation with the learner's counted_until.
 */
export function countsSince(record = 'record'): RawBuilder<Date> {
  return sql`greatest(visit.since, ${sql.ref(`${record}.counted_until`)})`;
}

/** The columns of `clockColumns`. */
export interface ClockRow
  extends Pick<FocusClock, 'status' | 'focusMs' | 'awayMs'>,
    Pick<FocusClock, 'isScheduledBreak' | 'isAwayByCamera'> {
  readonly since: Date;
  readonly schedule: FollowedSchedule | null;
}

/** SQL for the schedule that a `visit` follows, as JSON, with more fields; null without one. */
const scheduleWith = (fields: RawBuilder<unknown>) => sql`
  case when visit.schedule_started_at is not null then json_strip_nulls(json_build_object(
    'startedAtMs', ${epochMs(sql`visit.schedule_started_at`)},
    'focusMinutes', visit.schedule_focus_minutes, 'breakMinutes', visit.schedule_break_minutes,
    'endedAtMs', ${epochMs(sql`visit.schedule_ended_at`)}${fields}
  )) end`;

/** SQL for the columns of the clock of a `visit`, beside the learner's `record`. */
export const clockColumns = sql`
  visit.status, ${countsSince()} as since, visit.focus_ms as "focusMs", visit.away_ms as "awayMs",
  visit.is_scheduled_break as "isScheduledBreak", visit.away_by_camera as "isAwayByCamera",
  ${scheduleWith(sql``)} as schedule`;

/** The clock of a visit. */
export function clockOf(row: ClockRow): FocusClock {
  const { status, focusMs, awayMs, since, schedule, isScheduledBreak, isAwayByCamera } = row;
  return {
    ...{ status, focusMs, awayMs, sinceMs: since.getTime() },
    ...(schedule && { schedule }),
    ...(isScheduledBreak && { isScheduledBreak }),
    ...(isAwayByCamera && { isAwayByCamera }),
  };
}

/** SQL for whether the phases of a schedule change a `visit` (`isCarried` of the contract). */
const isCarried = sql<boolean>`(
  visit.schedule_started_at is not null
  and (visit.status = 'focus' or (visit.status = 'pause' and visit.is_scheduled_break))
)`;

/** SQL for the phases that change the running status of a `visit`, as JSON (`FollowedPhases`); null without. */
export const phasesOf = (since: RawBuilder<unknown>) =>
  sql`case when ${isCarried} then ${scheduleWith(sql`, 'sinceMs', ${epochMs(since)}`)} end`;

/** SQL for the length of a phase of focus and a break of the schedule of a `visit`. */
const roundMinutes = sql`(visit.schedule_focus_minutes + visit.schedule_break_minutes)`;

/**
 * SQL for when the phases of its schedule first change a `visit` (`timerAt` of the contract); null if they do not.
 * The end of a schedule is not regarded.
 * @param since the beginning of the running status.
 */
export function firstPhaseChange(since: RawBuilder<Date>): RawBuilder<Date | null> {
  const offset = sql`(
    visit.schedule_started_at + make_interval(
      mins => case visit.status when 'focus' then visit.schedule_focus_minutes else 0 end)
  )`;
  const rounds = sql`(floor(extract(epoch from ${since} - ${offset}) / (60 * ${roundMinutes}))::integer + 1)`;
  return sql`case when ${isCarried} then ${offset} + make_interval(mins => ${roundMinutes} * ${rounds}) end`;
}

/**
 * SQL for the learners in focus or a break, each with a moment: (user_id, final_until). The time that their running
 * interval counts before that moment is final, however the interval ends: a silence begins with the last sign of life. A press may count
 * from minutes before now (decision 090), which the caller leaves out.
 */
export const finalUntil = sql`(
  select visit.user_id, greatest(visit.since, seat.last_seen_at) as final_until
  from visit left join seat on seat.user_id = visit.user_id
  where visit.ended_at is null and visit.status in ('focus', 'pause')
)`;

/** SQL for the length of the phase that first changes a `visit`: a break changes focus. */
const changedMinutes = sql`case visit.status
  when 'focus' then visit.schedule_break_minutes else visit.schedule_focus_minutes end`;

/**
 * SQL for the parts of an open `visit` from the beginning of its running status to a moment: (status,
 * started_at, ended_at, is_last). Without a schedule it is one; else the phases cut it, whether or not
 * anything noticed them. The last part may be empty.
 */
export function partsUntil(
  moment: RawBuilder<unknown>,
  since: RawBuilder<Date>,
): RawBuilder<unknown> {
  const end = sql`greatest(${moment}, ${since})`;
  const until = sql`least(${end}, visit.schedule_ended_at)`;
  return sql`(
    select case when place % 2 = 0 then visit.status
                when visit.status = 'focus' then 'pause' else 'focus' end as status,
           started_at, lead(started_at, 1, ${end}) over (order by place) as ended_at,
           lead(place) over (order by place) is null as is_last
    from (
      select 0 as place, ${since} as started_at
      union all
      select change, first.at + make_interval(
        mins => (change - 1) / 2 * ${roundMinutes} + (change - 1) % 2 * ${changedMinutes})
      from (select ${firstPhaseChange(since)} as at) as first
      cross join lateral generate_series(
        1, 2 * (floor(extract(epoch from ${until} - first.at) / (60 * ${roundMinutes}))::integer + 1)
      ) as change
      where first.at + make_interval(
        mins => (change - 1) / 2 * ${roundMinutes} + (change - 1) % 2 * ${changedMinutes}) <= ${until}
    ) as part
  )`;
}

/** SQL for the status of a `visit` in the phase of a moment: that of the last of its `partsUntil`. */
function statusAt(now: Date): RawBuilder<FocusClock['status']> {
  const first = firstPhaseChange(sql`visit.since`);
  const until = sql`least(${now}::timestamptz, visit.schedule_ended_at)`;
  return sql`case
    when ${until} >= ${first}
      and mod(extract(epoch from ${until} - ${first}), 60 * ${roundMinutes}) < 60 * ${changedMinutes}
    then case visit.status when 'focus' then 'pause' else 'focus' end
    else visit.status end`;
}

/** SQL for the status of a seated learner, in the phase of the moment; null without a seat. */
export const presentStatus = (
  userId: RawBuilder<unknown>,
  now: Date,
): RawBuilder<FocusClock['status'] | null> => sql`(
  select ${statusAt(now)} from visit where visit.user_id = ${userId} and visit.ended_at is null
)`;

/** SQL for the learners in focus, in the phase of the moment. */
export const focusingLearners = (now: Date): RawBuilder<unknown> => sql`(
  select user_id from visit where ended_at is null and ${statusAt(now)} = 'focus'
)`;

/** SQL for when the latest visit of a learner began; null without any. */
export const latestVisitBegan = (userId: UserId): RawBuilder<Date | null> => sql`(
  select began_at from visit where user_id = ${userId} order by id desc limit 1
)`;

/**
 * SQL for the running interval of a learner's open visit, as if it ended now, in its parts if it follows a
 * schedule: the columns of focus_interval, and is_last. No row while they are idle or have no seat. The
 * learner's row of study_record, or nulls, is `record` in the surrounding query.
 */
export function runningWithRecord(
  userId: UserId | RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  return sql`(
    select visit.user_id, visit.id as visit_id, part.status, part.started_at, part.ended_at,
           visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes,
           visit.subject_id, part.is_last
    from visit cross join lateral ${partsUntil(sql`${now}::timestamptz`, countsSince())} as part
    where visit.user_id = ${userId} and visit.ended_at is null and visit.status <> 'idle'
  )`;
}

/**
 * SQL for the running interval of a learner's open visit, like `runningWithRecord` without a surrounding
 * query.
 */
export function runningIntervals(
  userId: UserId | RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  return sql`(
    select running.*
    from (select ${userId}::bigint as user_id) as asked
    left join study_record as record on record.user_id = asked.user_id
    cross join lateral ${runningWithRecord(userId, now)} as running
  )`;
}

/**
 * Parts of a WITH clause that begin a visit for each row of a relation with user_id, room_id and entered_at.
 * They stand in the statement that takes the seats, so that no crash comes between a seat and its visit. A
 * visit begins at the end of the counted time at the earliest: after a clock was set back, no time may count
 * twice.
 */
function beginVisits(seated: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    -- Writing the row, not reading it, waits for settings that are being saved, and sees them.
    record_held as (
      insert into study_record as record (user_id)
      select user_id from ${seated} as arriving order by user_id
      on conflict (user_id) do update set time_zone = record.time_zone
      returning user_id, time_zone, day_start_minutes, starts_on_entering, counted_until, subject_id
    ),
    visit_begun as (
      insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes,
                         subject_id)
      select user_id, room_id, greatest(seated.entered_at, counted_until),
             case when starts_on_entering then 'focus' else 'idle' end,
             greatest(seated.entered_at, counted_until), time_zone, day_start_minutes, subject_id
      from ${seated} as seated join record_held using (user_id)
    )`;
}

/** SQL for the time of a leaving learner in a status since it was last stored. */
const lastMs = (status: 'focus' | 'away') => sql`(
  select coalesce(sum(${msBetween(sql`started_at`, sql`ended_at`)}), 0)::bigint
  from ${partsUntil(sql`leaving.ended_at`, countsSince('leaving'))} as part
  where status = ${sql.lit(status)}
)`;

/**
 * Parts of a WITH clause that close the open visits of leaving learners, with their running intervals, for
 * each row of a relation with user_id and ended_at.
 */
function endVisits(left: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    leaving as (
      select gone.user_id, gone.ended_at, record.counted_until
      from ${left} as gone left join study_record as record on record.user_id = gone.user_id
    ),
    visit_ended as (
      update visit
      set ended_at = greatest(visit.since, leaving.ended_at),
          focus_ms = focus_ms + ${lastMs('focus')}, away_ms = away_ms + ${lastMs('away')}
      from leaving
      where visit.user_id = leaving.user_id and visit.ended_at is null
      returning visit.*, ${countsSince('leaving')} as counts_since
    ),
    closed as (
      select visit.user_id, visit.id as visit_id, part.status, part.started_at, part.ended_at,
             visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes,
             visit.subject_id
      from visit_ended as visit
      cross join lateral ${partsUntil(sql`visit.ended_at`, sql`visit.counts_since`)} as part
    ),
    ${storeClosed}`;
}

/** The visits of `features/rooms`, which is built before this feature. */
export const visitsOfSeats = { begin: beginVisits, end: endVisits };

/** The site records every ten seconds that it is up; a longer pause is an outage. */
const WATCH_PAUSE_MS = 30_000;
const OUTAGES_KEPT = '1 day';

/**
 * SQL for how long a learner has been silent, in milliseconds. Downtime of the site (all processes down, no
 * database) does not count: nobody could be heard.
 */
export function silentMs(
  lastSeenAt: RawBuilder<unknown>,
  now: Date | RawBuilder<unknown>,
): RawBuilder<number> {
  const moment = sql`${now}::timestamptz`;
  const from = sql`greatest(outage.began_at, ${lastSeenAt})`;
  const to = sql`least(outage.ended_at, ${moment})`;
  return sql`(
    ${msBetween(lastSeenAt, moment)} - coalesce((
      select sum(${msBetween(from, to)})::bigint
      from (
        select began_at, ended_at from life_outage where ended_at > ${lastSeenAt}
        union all
        select watched_at, ${moment} from life_watch
        where ${msBetween(sql`watched_at`, moment)} > ${WATCH_PAUSE_MS}
      ) as outage
      where ${from} < ${to}
    ), 0)
  )`;
}

/** SQL that records that the site is up, and an outage before it, if any. */
export function recordWatch(now: Date): RawBuilder<unknown> {
  return sql`
    with before as (
      select watched_at from life_watch where id = 1 for update
    ), noted as (
      insert into life_outage (began_at, ended_at)
      select watched_at, ${now} from before
      where ${msBetween(sql`watched_at`, sql`${now}`)} > ${WATCH_PAUSE_MS}
      on conflict (began_at) do nothing
    ), forgotten as (
      delete from life_outage where ended_at < ${now}::timestamptz - interval ${sql.lit(OUTAGES_KEPT)}
    )
    insert into life_watch (id, watched_at)
    -- Counts what was there before, so that it is read before it is overwritten.
    select 1, ${now} from (select count(*) from before) as read
    on conflict (id) do update set watched_at = excluded.watched_at`;
}
