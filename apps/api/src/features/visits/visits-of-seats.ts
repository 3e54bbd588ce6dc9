import { type RawBuilder, sql } from 'kysely';
import { msBetween } from './day-pieces.ts';
import { storeClosed } from './roll-up.ts';
import { countsSince } from './running.ts';

/**
 * Parts of a WITH clause that begin a visit for each row of a relation with user_id, room_id and entered_at.
 * They stand in the statement that takes the seats, so that no crash comes between a seat and its visit. A
 * visit begins at the end of the counted time at the earliest: after a clock was set back, no time may count
 * twice.
 */
export function beginVisits(seated: RawBuilder<unknown>): RawBuilder<unknown> {
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
export function endVisits(left: RawBuilder<unknown>): RawBuilder<unknown> {
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
