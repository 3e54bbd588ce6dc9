import type { FocusClock, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { storeClosed } from './counting.ts';
import { msBetween } from './learner-days.ts';

/**
 * SQL for the moment since which an open `visit` counts: never before the end of the counted time.
 * @param record the relation with the learner's counted_until.
 */
export function countsSince(record = 'record'): RawBuilder<Date> {
  return sql`greatest(visit.since, ${sql.ref(`${record}.counted_until`)})`;
}

/** The columns of `clockColumns`. */
export interface ClockRow extends Omit<FocusClock, 'sinceMs'> {
  readonly since: Date;
}

/** SQL for the status of a learner who sits in a room; null without a seat. */
export const presentStatus = (
  userId: RawBuilder<unknown>,
): RawBuilder<FocusClock['status'] | null> =>
  sql`(select status from visit where visit.user_id = ${userId} and visit.ended_at is null)`;

/** SQL for the columns of the clock of a `visit`, beside the learner's `record`. */
export const clockColumns = sql`
  visit.status, ${countsSince()} as since, visit.focus_ms as "focusMs", visit.away_ms as "awayMs"`;

/** The clock of a visit. */
export function clockOf({ status, focusMs, awayMs, since }: ClockRow): FocusClock {
  return { status, focusMs, awayMs, sinceMs: since.getTime() };
}

/** SQL for the status that runs for each seated learner who has started: (user_id, status, since). */
export const runningStatuses = sql`(
  select user_id, status, since from visit where ended_at is null and status <> 'idle'
)`;

/** SQL for the learners who focus now. */
export const focusingLearners = sql`(
  select user_id from ${runningStatuses} as running where status = 'focus'
)`;

/**
 * SQL for the running interval of a learner's open visit, as if it ended now: the columns of focus_interval.
 * No row while they are idle or have no seat. The learner's row of study_record, or nulls, is `record` in the
 * surrounding query.
 */
export function runningWithRecord(
  userId: UserId | RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  return sql`(
    select visit.user_id, visit.id as visit_id, visit.status, ${countsSince()} as started_at,
           greatest(${now}::timestamptz, ${countsSince()}) as ended_at,
           visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes,
           visit.subject_id
    from visit
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

/** SQL for how long an open visit has been in its status at the end of `leaving`. */
const lastingMs = sql`greatest(0, ${msBetween(countsSince('leaving'), sql`leaving.ended_at`)})`;

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
          focus_ms = focus_ms + case when status = 'focus' then ${lastingMs} else 0 end,
          away_ms = away_ms + case when status = 'away' then ${lastingMs} else 0 end
      from leaving
      where visit.user_id = leaving.user_id and visit.ended_at is null
      returning visit.user_id, visit.id as visit_id, visit.status,
                ${countsSince('leaving')} as started_at, visit.ended_at,
                visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes,
                visit.subject_id
    ),
    closed as (select * from visit_ended),
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
