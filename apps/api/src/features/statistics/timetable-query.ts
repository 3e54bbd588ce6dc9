import {
  DEFAULT_TIME_ZONE,
  MANUAL_TIME,
  type StudyDay,
  TIMETABLE_MAX_PARTS,
  type Timetable,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { currentDay, epochMs, periodSpan } from '../focus/index.ts';

export interface TimetableRow extends Omit<Timetable, 'dayStartsAtMs' | 'dayEndsAtMs'> {
  readonly beginsAt: Date;
  readonly endsAt: Date;
}

/**
 * SQL for a day in stretches, counted ones and those entered by hand.
 * @param focus the learner's focus of the day: (started_at, ended_at, subject_id).
 */
export function timetableQuery(
  userId: UserId,
  day: StudyDay,
  { focus, now }: { readonly focus: RawBuilder<unknown>; readonly now: Date },
): RawBuilder<TimetableRow> {
  return sql<TimetableRow>`
    with record as (
      select asked as user_id, coalesce(time_zone, ${DEFAULT_TIME_ZONE}) as time_zone,
             coalesce(day_start_minutes, 0) as day_start_minutes
      from (select ${userId}::bigint as asked) as one left join study_record on user_id = asked
    ), part as (
      select started_at, ended_at, subject_id, null::bigint as manual_id from ${focus} as focus
      union all
      select started_at, ended_at, subject_id, id from manual_study
      where user_id = ${userId} and day = ${day}::date
      order by started_at limit ${TIMETABLE_MAX_PARTS}
    )
    select ${day}::date between today.day - ${MANUAL_TIME.daysBack}::integer and today.day as "isOpen",
           record.time_zone as "timeZone", span.begins_at as "beginsAt", span.ends_at as "endsAt", (
             select coalesce(json_agg(json_build_object(
               'startedAtMs', ${epochMs(sql`started_at`)}, 'endedAtMs', ${epochMs(sql`ended_at`)},
               'subjectId', subject_id, 'manualId', manual_id
             ) order by started_at), '[]') from part
           ) as parts, (
             select coalesce(json_agg(json_build_object(
               'id', id, 'name', name, 'place', place
             ) order by place), '[]')
             from (
               select id, name, row_number() over (order by id) - 1 as place
               from study_subject where user_id = ${userId}
             ) as placed
             where id in (select subject_id from part)
           ) as subjects
    from record
    cross join lateral ${periodSpan(day, day, 'record')} as span
    cross join lateral ${currentDay(now)} as today`;
}
