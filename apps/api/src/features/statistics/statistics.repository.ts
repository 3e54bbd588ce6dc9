import {
  EXPORT_MAX_INTERVALS,
  type LookBack,
  PERIOD_SUBJECTS_MAX,
  type StudyDay,
  type StudyDays,
  type Subject,
  type SubjectId,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import {
  closedTouching,
  currentDay,
  dayPieces,
  msBetween,
  periodSpan,
  runningIntervals,
  runningWithRecord,
} from '../focus/index.ts';
import { signedUpAt } from '../users/index.ts';
import { type TimetableRow, timetableQuery } from './timetable-query.ts';
import { type Totals, totalsQuery } from './totals-query.ts';
import { type VisitRow, type VisitsPage, visitsQuery } from './visits-query.ts';
import { type WeeksRow, weeksQuery } from './weeks-query.ts';

export interface Period {
  readonly from: StudyDay;
  readonly to: StudyDay;
}

/** Focus of days by subject, with the subjects' names. */
export interface SubjectDays {
  readonly today: StudyDay;
  readonly days: readonly {
    readonly day: StudyDay;
    readonly subjectId: SubjectId | null;
    readonly focusMs: number;
  }[];
  readonly subjects: readonly (Subject & { readonly isRemoved: boolean })[];
}

/** Line ending of RFC 4180. */
const CSV_LINE_END = '\r\n';
const CSV_HEADER = `visit,room,status,started_at,ended_at,seconds,cause,time_zone,subject${CSV_LINE_END}`;

/** Lines of a file that are read at once: 300 KB. */
const LINES_AT_ONCE = 2_000;

interface ExportedLines {
  readonly lines: string;
  /** The beginning of the last of them; null if there is none. */
  readonly last: string | null;
  readonly isTooMuch: boolean;
}

/**
 * The largest difference between a moment in UTC and a learner's day of the same date, in either direction.
 */
const SLACK = sql`interval '2 days'`;

/** SQL for a learner's closed intervals that may touch a period by any day rule. */
function closedNear(userId: UserId, { from, to }: Period): RawBuilder<unknown> {
  return closedTouching(userId, sql`(${from}::date - ${SLACK})`, sql`(${to}::date + ${SLACK})`);
}

/** SQL for a learner's focus in a period: (started_at, ended_at, time_zone, subject_id), cut at its ends. */
function focusWithin(userId: UserId, period: Period, now: Date): RawBuilder<unknown> {
  const columns = sql`status, started_at, ended_at, time_zone, day_start_minutes, subject_id`;
  return sql`(
    select greatest(whole.started_at, span.begins_at) as started_at,
           least(whole.ended_at, span.ends_at) as ended_at, whole.time_zone, whole.subject_id
    from (
      select ${columns} from ${closedNear(userId, period)} as closed
      union all select ${columns} from ${runningIntervals(userId, now)} as running
    ) as whole cross join lateral ${periodSpan(period.from, period.to, 'whole')} as span
    where whole.status = 'focus'
      and whole.started_at < span.ends_at and whole.ended_at > span.begins_at
  )`;
}

/** SQL for the learner's current day, as `today`. */
const ownToday = (userId: UserId, now: Date) => sql`
  (select ${userId}::bigint as user_id) as asked
  left join study_record as record on record.user_id = asked.user_id
  cross join lateral ${currentDay(now)} as today`;

/** SQL for a moment in the format of `Date.toISOString`. */
const isoText = (moment: string) =>
  sql`to_char(${sql.ref(moment)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for a learner's text, or an empty field, escaped so that no program reads it as a formula. */
const csvText = (text: string) => {
  const plain = sql`regexp_replace(${sql.ref(text)}, '^([=+@-])', '''\\1')`;
  return sql`coalesce('"' || replace(${plain}, '"', '""') || '"', '')`;
};

/** Clocks are set by hours and by half hours: a part of this length lies within one hour. */
const SLOT = sql`interval '30 minutes'`;

/** Reads the figures of the focus engine; changes nothing. */
export function createStatisticsRepository(database: Database) {
  /** The one row that a query has for every learner. */
  async function rowOf<Row>(query: RawBuilder<Row>): Promise<Row> {
    const { rows } = await query.execute(database);
    const [row] = rows;
    if (!row) throw new Error('a learner has no day');
    return row;
  }

  /** The next lines after an interval, as many as are sent at once; of time entered by hand with a status of its own. */
  const exportedLines = (userId: UserId, period: Period, after: string | null) => {
    const listed = sql`(
      select visit_id, status, started_at, ended_at, is_silence, closed.time_zone, subject_id
      from ${closedNear(userId, period)} as closed
      cross join lateral ${periodSpan(period.from, period.to, 'closed')} as span
      where closed.started_at < span.ends_at and closed.ended_at > span.begins_at
      union all
      select null, 'manual', started_at, ended_at, false, time_zone, subject_id from manual_study
      where user_id = ${userId} and day between ${period.from}::date and ${period.to}::date
    ) as listed`;
    return rowOf(sql<ExportedLines>`
      select coalesce(string_agg(line || ${CSV_LINE_END}, '' order by started_at), '') as lines,
             max(started_at)::text as last, ${after}::text is null and (
               select count(*) > ${EXPORT_MAX_INTERVALS} from (
                 select from ${listed} limit ${EXPORT_MAX_INTERVALS + 1}
               ) as counted
             ) as "isTooMuch"
      from (
        select part.started_at, concat_ws(',',
          coalesce(part.visit_id::text, ''), coalesce(visit.room_id::text, ''), part.status,
          ${isoText('part.started_at')}, ${isoText('part.ended_at')},
          round(extract(epoch from part.ended_at - part.started_at), 3),
          case when part.is_silence then 'silence' else 'learner' end, part.time_zone,
          ${csvText('subject.name')}
        ) as line
        from (
          select * from ${listed} where started_at > coalesce(${after}::timestamptz, '-infinity')
          order by started_at limit ${LINES_AT_ONCE}
        ) as part
        left join visit on visit.id = part.visit_id
        left join study_subject as subject
          on subject.user_id = ${userId} and subject.id = part.subject_id
      ) as written`);
  };

  async function* readLines(
    userId: UserId,
    period: Period,
    first: ExportedLines,
  ): AsyncGenerator<string> {
    yield CSV_HEADER;
    for (let batch = first; batch.last !== null; ) {
      yield batch.lines;
      batch = await exportedLines(userId, period, batch.last);
    }
  }

  return {
    findTotals: (userId: UserId, now: Date): Promise<Totals> => rowOf(totalsQuery(userId, now)),

    async findDays(userId: UserId, { from, to }: Period, now: Date) {
      return rowOf(sql<StudyDays>`
        select today.day::text as today, signed_up.day::text as "firstDay", (
          select coalesce(json_agg(json_build_object(
            'day', day, 'focusMs', focus_ms, 'awayMs', away_ms, 'manualMs', manual_ms
          ) order by day), '[]')
          from (
            select day, sum(focus_ms)::bigint as focus_ms, sum(away_ms)::bigint as away_ms,
                   sum(manual_ms)::bigint as manual_ms
            from (
              select day, focus_ms, away_ms, 0 as manual_ms from study_day where user_id = ${userId}
              union all
              select day, 0, 0, ${msBetween(sql`started_at`, sql`ended_at`)}
              from manual_study where user_id = ${userId}
              union all
              select day, case when status = 'focus' then ms else 0 end,
                     case when status = 'away' then ms else 0 end, 0
              from (${dayPieces(runningWithRecord(userId, now))}) as piece
            ) as part
            where day between ${from}::date and ${to}::date
            group by day
            having sum(focus_ms) + sum(away_ms) + sum(manual_ms) > 0
          ) as summed
        ) as days
        from ${ownToday(userId, now)}
        cross join lateral ${currentDay(signedUpAt(userId))} as signed_up`);
    },

    findWeeks: (userId: UserId, now: Date): Promise<WeeksRow> => rowOf(weeksQuery(userId, now)),

    /**
     * Focus of each day by subject; the rest of a day is without a subject, and so is the focus of subjects
     * beyond the `PERIOD_SUBJECTS_MAX` with most of it.
     */
    async findSubjects(userId: UserId, { from, to }: Period, now: Date): Promise<SubjectDays> {
      const within = sql`user_id = ${userId} and day between ${from}::date and ${to}::date`;
      return rowOf(sql<SubjectDays>`
        with part as (
          select day, subject_id, focus_ms from study_subject_day where ${within}
          union all select day, null, -focus_ms from study_subject_day where ${within}
          union all select day, null, focus_ms from study_day where ${within}
          union all
          select day, subject_id, ms from (${dayPieces(runningIntervals(userId, now))}) as piece
          where status = 'focus' and ${within}
        ), summed as (
          select day, subject_id, sum(focus_ms)::bigint as focus_ms from part
          group by day, subject_id having sum(focus_ms) > 0
        ), listed as (
          select subject_id from summed where subject_id is not null
          group by subject_id order by sum(focus_ms) desc, subject_id limit ${PERIOD_SUBJECTS_MAX}
        ), shown as (
          select day, listed.subject_id, sum(focus_ms)::bigint as focus_ms
          from summed left join listed using (subject_id) group by day, listed.subject_id
        )
        select today.day::text as today, (
          select coalesce(json_agg(json_build_object(
            'day', day, 'subjectId', subject_id, 'focusMs', focus_ms
          ) order by day), '[]') from shown
        ) as days, (
          select coalesce(json_agg(json_build_object(
            'id', id, 'name', name, 'isRemoved', removed_at is not null
          ) order by position, id), '[]')
          from study_subject
          where user_id = ${userId} and id in (select subject_id from listed)
        ) as subjects
        from ${ownToday(userId, now)}`);
    },

    findTimetable: (userId: UserId, day: StudyDay, now: Date): Promise<TimetableRow> => {
      const focus = focusWithin(userId, { from: day, to: day }, now);
      return rowOf(timetableQuery(userId, day, { focus, now }));
    },

    /** Focus by hour of local time, for hours with any: in total the same as the focus of the days. */
    async findHours(userId: UserId, period: Period, now: Date) {
      const [begin, end] = [
        sql`greatest(part.started_at, slot.begins_at)`,
        sql`least(part.ended_at, slot.begins_at + ${SLOT})`,
      ];
      const { rows } = await sql<{ hour: number; ms: number }>`
        select extract(hour from slot.begins_at at time zone part.time_zone)::integer as hour,
               sum(${msBetween(begin, end)})::bigint as ms
        from ${focusWithin(userId, period, now)} as part
        cross join lateral (
          select generate_series(
            date_trunc('hour', part.started_at, part.time_zone), part.ended_at, ${SLOT}
          ) as begins_at
        ) as slot
        where ${begin} < ${end}
        group by hour`.execute(database);
      return rows;
    },

    /** Visits, latest first. */
    async findVisits(userId: UserId, page: VisitsPage, now: Date): Promise<VisitRow[]> {
      const { rows } = await visitsQuery(userId, page, now).execute(database);
      return rows;
    },

    /** The sums of the latest visit; null while it lasts, and before the first. */
    async findEndedVisit(userId: UserId): Promise<LookBack['visit']> {
      const { rows } = await sql<{ focusMs: number; awayMs: number; endedAt: Date | null }>`
        select focus_ms as "focusMs", away_ms as "awayMs", ended_at as "endedAt"
        from visit where user_id = ${userId} order by id desc limit 1`.execute(database);
      const [latest] = rows;
      if (!latest?.endedAt) return null;
      const { focusMs, awayMs, endedAt } = latest;
      return { focusMs, awayMs, endedAtMs: endedAt.getTime() };
    },

    /**
     * The closed intervals that overlap with a period, uncut, in order, as the pieces of a CSV file (RFC
     * 4180); null if there are too many. PostgreSQL formats the lines: as objects they would keep this
     * process busy for a tenth of a second and more.
     */
    async exportIntervals(userId: UserId, period: Period): Promise<AsyncIterable<string> | null> {
      const first = await exportedLines(userId, period, null);
      return first.isTooMuch ? null : readLines(userId, period, first);
    },
  };
}
