import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for the moment since which an open `visit` counts: never before the end of the counted time.
 * @param record the relation with the learner's counted_until.
 */
export function countsSince(record = 'record'): RawBuilder<Date> {
  return sql`greatest(visit.since, ${sql.ref(`${record}.counted_until`)})`;
}

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
