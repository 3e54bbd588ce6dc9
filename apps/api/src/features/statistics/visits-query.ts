import {
  type RoomId,
  type UserId,
  VISIT_MAX_INTERVALS,
  type VisitInterval,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { epochMs, msBetween, runningIntervals } from '../focus/index.ts';

export interface VisitsPage {
  /** The visit after them; the latest ones without it. */
  readonly before: number | undefined;
  readonly count: number;
}

export interface VisitRow {
  readonly id: number;
  readonly roomId: RoomId;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  /** Without the running interval, but with the phases of a schedule before it. */
  readonly focusMs: number;
  readonly awayMs: number;
  readonly note: string | null;
  /** In order: the latest, and one more than are listed if there are too many. */
  readonly intervals: readonly VisitInterval[];
}

/** SQL for the visits before one, latest first. */
export function visitsQuery(
  userId: UserId,
  { before, count }: VisitsPage,
  now: Date,
): RawBuilder<VisitRow> {
  return sql<VisitRow>`
    select visit.id, visit.room_id as "roomId", visit.began_at as "beganAt",
           visit.ended_at as "endedAt", visit.away_ms as "awayMs",
           visit.note,
           visit.focus_ms + coalesce((
             select sum(${msBetween(sql`started_at`, sql`ended_at`)})::bigint
             from ${runningIntervals(userId, now)} as running
             where visit_id = visit.id and status = 'focus' and not is_last
           ), 0) as "focusMs",
           (
             select coalesce(json_agg(json_build_object(
               'status', part.status, 'startedAtMs', ${epochMs(sql`part.started_at`)},
               'endedAtMs', part.ended_at_ms,
               'cause', case when part.is_silence then 'silence' else 'learner' end,
               'timeZone', part.time_zone
             ) order by part.started_at), '[]')
             from ${latestIntervals(userId, now)} as part
           ) as intervals
    from visit
    where visit.user_id = ${userId} and visit.id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by visit.id desc limit ${count}`;
}

/**
 * SQL for the latest intervals of `visit`, and one more than are listed if there are too many. A learner's
 * visits follow one another, so the index on learner and beginning finds them.
 */
function latestIntervals(userId: UserId, now: Date): RawBuilder<unknown> {
  return sql`(
    (
      select status, started_at, ${epochMs(sql`ended_at`)} as ended_at_ms, is_silence, time_zone
      from focus_interval
      where user_id = ${userId} and visit_id = visit.id and started_at >= visit.began_at
        and started_at <= coalesce(visit.ended_at, 'infinity')
      order by started_at desc limit ${VISIT_MAX_INTERVALS + 1}
    )
    union all
    select status, started_at, case when not is_last then ${epochMs(sql`ended_at`)} end, is_silence,
           time_zone
    from ${runningIntervals(userId, now)} as running where running.visit_id = visit.id
    order by started_at desc limit ${VISIT_MAX_INTERVALS + 1}
  )`;
}
