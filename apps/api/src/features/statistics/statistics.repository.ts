import {
  type DayFigures,
  EXPORT_MAX_INTERVALS,
  type RoomId,
  type StudyDay,
  type UserId,
  VISIT_MAX_INTERVALS,
  VISITS_PAGE_SIZE,
  type VisitInterval,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import {
  currentDay,
  dayPieces,
  msBetween,
  runningBeside,
  runningIntervals,
} from '../focus/index.ts';

export interface Period {
  readonly from: StudyDay;
  readonly to: StudyDay;
}

export interface VisitRow {
  readonly id: number;
  readonly roomId: RoomId;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  /** Without what runs. */
  readonly focusMs: number;
  readonly awayMs: number;
  readonly intervalCount: number;
  readonly intervals: readonly VisitInterval[];
}

export interface ExportRow {
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly status: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly seconds: number;
  readonly cause: string;
  readonly timeZone: string;
}

/** SQL for milliseconds since 1970. */
const epochMs = (moment: string) => sql`(extract(epoch from ${sql.ref(moment)}) * 1000)::bigint`;

const allOf = (userId: UserId, now: Date) => sql`(
  select user_id, visit_id, status, started_at, ended_at, is_silence, time_zone, day_start_minutes
  from focus_interval where user_id = ${userId}
  union all select * from ${runningIntervals(userId, now)} as running
)`;

/** The longest way of a moment from UTC to a learner's day of the same date, either way. */
const SLACK = sql`interval '2 days'`;

/** Reads what the focus engine has counted; changes nothing. */
export function createStatisticsRepository(database: Database) {
  return {
    async findDays(userId: UserId, { from, to }: Period, now: Date) {
      const { rows } = await sql<{ today: StudyDay; days: DayFigures[] }>`
        select today.day::text as today, (
          select coalesce(json_agg(json_build_object(
            'day', day, 'focusMs', focus_ms, 'awayMs', away_ms
          ) order by day), '[]')
          from (
            select day, sum(focus_ms)::bigint as focus_ms, sum(away_ms)::bigint as away_ms
            from (
              select day, focus_ms, away_ms from study_day where user_id = ${userId}
              union all
              select day, case when status = 'focus' then ms else 0 end,
                     case when status = 'away' then ms else 0 end
              from (${dayPieces(runningBeside(userId, now))}) as piece
            ) as part
            where day between ${from}::date and ${to}::date
            group by day
            having sum(focus_ms) + sum(away_ms) > 0
          ) as summed
        ) as days
        from (select ${userId}::bigint as user_id) as asked
        left join study_record as record on record.user_id = asked.user_id
        cross join lateral ${currentDay(now)} as today`.execute(database);
      const [found] = rows;
      if (!found) throw new Error('a learner has no day');
      return found;
    },

    /** Focus by hour of the wall clock, for hours with any. */
    async findHours(userId: UserId, { from, to }: Period, now: Date) {
      const [begin, end] = [
        sql`greatest(whole.started_at, clock_hour.begins_at)`,
        sql`least(whole.ended_at, clock_hour.begins_at + interval '1 hour')`,
      ];
      const { rows } = await sql<{ hour: number; ms: number }>`
        select extract(hour from clock_hour.begins_at at time zone whole.time_zone)::integer as hour,
               sum(${msBetween(begin, end)})::bigint as ms
        from ${allOf(userId, now)} as whole
        cross join lateral (
          select generate_series(
            date_trunc('hour', whole.started_at, whole.time_zone), whole.ended_at, interval '1 hour'
          ) as begins_at
        ) as clock_hour
        where whole.status = 'focus' and ${begin} < ${end}
          and whole.started_at >= ${from}::date - ${SLACK} and whole.started_at < ${to}::date + ${SLACK}
          and ((${begin} at time zone whole.time_zone) - make_interval(mins => whole.day_start_minutes))::date
            between ${from}::date and ${to}::date
        group by hour`.execute(database);
      return rows;
    },

    /** A page of visits, latest first, and one more if there are older ones. */
    async findVisits(userId: UserId, before: number | undefined, now: Date): Promise<VisitRow[]> {
      const { rows } = await sql<VisitRow>`
        select visit.id, visit.room_id as "roomId", visit.began_at as "beganAt",
               visit.ended_at as "endedAt", visit.focus_ms as "focusMs", visit.away_ms as "awayMs",
               counted.*
        from visit cross join lateral (
          select coalesce(max(part.total), 0) as "intervalCount",
                 coalesce(json_agg(json_build_object(
                   'status', part.status, 'startedAtMs', ${epochMs('part.started_at')},
                   'endedAtMs', part.ended_at_ms,
                   'cause', case when part.is_silence then 'silence' else 'learner' end
                 ) order by part.started_at), '[]') as intervals
          from (
            select every.*, count(*) over () as total
            from (
              select status, started_at, ${epochMs('ended_at')} as ended_at_ms, is_silence
              from focus_interval where focus_interval.visit_id = visit.id
              union all
              select status, started_at, null, is_silence
              from ${runningIntervals(userId, now)} as running where running.visit_id = visit.id
            ) as every
            order by started_at desc limit ${VISIT_MAX_INTERVALS}
          ) as part
        ) as counted
        where visit.user_id = ${userId} and visit.id < ${before ?? Number.MAX_SAFE_INTEGER}
        order by visit.id desc limit ${VISITS_PAGE_SIZE + 1}`.execute(database);
      return rows;
    },

    /** In order, one more than a file may have if there are too many. */
    async findIntervals(userId: UserId, { from, to }: Period): Promise<ExportRow[]> {
      const { rows } = await sql<ExportRow>`
        select visit_id as "visitId", visit.room_id as "roomId", focus_interval.status,
               focus_interval.started_at as "startedAt", focus_interval.ended_at as "endedAt",
               extract(epoch from focus_interval.ended_at - focus_interval.started_at)::float8 as seconds,
               case when is_silence then 'silence' else 'learner' end as cause,
               focus_interval.time_zone as "timeZone"
        from focus_interval join visit on visit.id = focus_interval.visit_id
        where focus_interval.user_id = ${userId}
          and focus_interval.started_at >= ${from}::date - ${SLACK}
          and focus_interval.started_at < ${to}::date + ${SLACK}
          and ((focus_interval.started_at at time zone focus_interval.time_zone)
               - make_interval(mins => focus_interval.day_start_minutes))::date
            between ${from}::date and ${to}::date
        order by focus_interval.started_at limit ${EXPORT_MAX_INTERVALS + 1}`.execute(database);
      return rows;
    },
  };
}

export type StatisticsRepository = ReturnType<typeof createStatisticsRepository>;
