import { DEFAULT_TIME_ZONE } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SeatCompanions } from '../rooms/index.ts';
import { msBetween } from './day-pieces.ts';
import { storeClosed } from './roll-up.ts';

/**
 * SQL that begins a visit for each row of a relation with user_id, room_id and entered_at. It begins
 * where counting ended at the earliest: a clock that was set back must not count time twice.
 */
export function beginVisits(seated: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
    select arriving.user_id, arriving.room_id, arriving.began_at,
           case when coalesce(starts_on_entering, true) then 'focus' else 'idle' end,
           arriving.began_at, coalesce(time_zone, ${DEFAULT_TIME_ZONE}), coalesce(day_start_minutes, 0)
    from (
      select seated.user_id, seated.room_id, record.starts_on_entering, record.time_zone,
             record.day_start_minutes, greatest(seated.entered_at, record.counted_until) as began_at
      from ${seated} as seated left join study_record as record on record.user_id = seated.user_id
    ) as arriving`;
}

/** SQL for how long an open visit has been in its status at the end of `leaving`. */
const lastingMs = sql`greatest(0, ${msBetween(
  sql`greatest(visit.since, leaving.counted_until)`,
  sql`leaving.ended_at`,
)})`;

/** SQL that closes the open visits of those who leave, with what ran in them. */
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
                greatest(visit.since, leaving.counted_until) as started_at, visit.ended_at,
                visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes
    ),
    closed as (select * from visit_ended),
    ${storeClosed}`;
}

/**
 * A seat and its visit are one: these parts stand in the statements that take and give up seats, so
 * that no crash comes between them.
 */
export const visitsOfSeats: SeatCompanions = {
  onTaken: (seated) => sql`visit_begun as (${beginVisits(seated)})`,
  onGivenUp: endVisits,
};
