import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for what runs in a learner's open visit, as if it ended now: the columns of focus_interval.
 * Nothing while they are idle or sit nowhere.
 */
export function runningIntervals(userId: UserId, now: Date): RawBuilder<unknown> {
  const startedAt = sql`greatest(visit.since, record.counted_until)`;
  return sql`(
    select visit.user_id, visit.id as visit_id, visit.status, ${startedAt} as started_at,
           greatest(${now}::timestamptz, ${startedAt}) as ended_at,
           visit.returns_to is not null as is_silence, visit.time_zone, visit.day_start_minutes
    from visit left join study_record as record on record.user_id = visit.user_id
    where visit.user_id = ${userId} and visit.ended_at is null and visit.status <> 'idle'
  )`;
}
