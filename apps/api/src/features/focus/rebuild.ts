import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, letStatementsTake, retryConflict } from '../../platform/database/index.ts';
import { lockSeats } from '../rooms/index.ts';
import { attendanceOf, daySums, isAttended, subjectDaySums } from './counting.ts';
import { dayPieces, msBetween } from './learner-days.ts';

/** Few enough that nobody waits long for their seat. */
const BATCH_SIZE = 20;
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** The number of examined learners and of rows that differed from the intervals. */
export interface Rebuilt {
  learners: number;
  corrected: number;
}

/**
 * Recounts visits, days and totals from the intervals, which are never changed. Learners may continue
 * meanwhile: each waits only while their own rows are counted.
 */
export async function rebuildRecords(database: Database): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { learners: 0, corrected: 0 };
  for (let after = 0; ; ) {
    const { rows } = await sql<{ userId: UserId }>`
      select user_id as "userId" from (
        (select distinct user_id from visit
         where user_id > ${after} order by user_id limit ${BATCH_SIZE})
        union
        (select user_id from study_record
         where user_id > ${after} order by user_id limit ${BATCH_SIZE})
      ) as recorded order by user_id limit ${BATCH_SIZE}`.execute(database);
    const last = rows.at(-1);
    if (!last) return rebuilt;
    const userIds = rows.map(({ userId }) => userId);
    rebuilt.corrected += await retryConflict(() =>
      database.transaction().execute((transaction) => rebuildBatch(transaction, userIds)),
    );
    rebuilt.learners += userIds.length;
    after = last.userId;
  }
}

async function rebuildBatch(db: Database, userIds: readonly UserId[]): Promise<number> {
  // A long history may take longer than a learner would wait.
  await letStatementsTake(db, STATEMENT_TIMEOUT_MS);
  // Locks seated learners by their seats, which every change of their rows locks; a learner who is entering
  // waits for their record. A seat taken before that is locked from then on.
  await lockSeats(db, userIds);
  await lockRecords(db, userIds);
  await lockSeats(db, userIds);
  const visits = await correctVisits(db, userIds);
  const days = await correctDays(db, userIds);
  const subjectDays = await correctSubjectDays(db, userIds);
  return visits + days + subjectDays + (await correctRecords(db, userIds));
}

async function lockRecords(db: Database, userIds: readonly UserId[]): Promise<void> {
  await sql`
    insert into study_record as record (user_id)
    select user_id from unnest(${userIds}::bigint[]) as asked (user_id) order by user_id
    on conflict (user_id) do update set time_zone = record.time_zone`.execute(db);
}

const countOf = (result: { readonly rows: readonly unknown[] }) => result.rows.length;

async function correctVisits(db: Database, userIds: readonly UserId[]): Promise<number> {
  const lasted = msBetween(sql`started_at`, sql`focus_interval.ended_at`);
  const result = await sql`
    update visit set focus_ms = counted.focus_ms, away_ms = counted.away_ms
    from (
      select visit.id,
             coalesce(sum(${lasted}) filter (where focus_interval.status = 'focus'), 0)::bigint as focus_ms,
             coalesce(sum(${lasted}) filter (where focus_interval.status = 'away'), 0)::bigint as away_ms
      from visit left join focus_interval on focus_interval.visit_id = visit.id
      where visit.user_id = any(${userIds}::bigint[])
      group by visit.id
    ) as counted
    where visit.id = counted.id
      and (visit.focus_ms, visit.away_ms) is distinct from (counted.focus_ms, counted.away_ms)
    returning visit.id`.execute(db);
  return countOf(result);
}

async function correctDays(db: Database, userIds: readonly UserId[]): Promise<number> {
  const intervals = sql`(
    select * from focus_interval where user_id = any(${userIds}::bigint[])
  )`;
  const result = await sql`
    with counted as (${daySums(sql`(${dayPieces(intervals)})`)}),
    gone as (
      delete from study_day
      where user_id = any(${userIds}::bigint[]) and not exists (
        select from counted
        where counted.user_id = study_day.user_id and counted.day = study_day.day
      )
      returning user_id
    ),
    corrected as (
      insert into study_day as known (user_id, day, focus_ms, away_ms)
      select user_id, day, focus_ms, away_ms from counted order by user_id, day
      on conflict (user_id, day) do update
      set focus_ms = excluded.focus_ms, away_ms = excluded.away_ms
      where (known.focus_ms, known.away_ms) is distinct from (excluded.focus_ms, excluded.away_ms)
      returning user_id
    )
    select user_id from gone union all select user_id from corrected`.execute(db);
  return countOf(result);
}

async function correctSubjectDays(db: Database, userIds: readonly UserId[]): Promise<number> {
  const intervals = sql`(
    select * from focus_interval where user_id = any(${userIds}::bigint[]) and subject_id is not null
  )`;
  const result = await sql`
    with counted as (${subjectDaySums(sql`(${dayPieces(intervals)})`)}),
    gone as (
      delete from study_subject_day as known
      where user_id = any(${userIds}::bigint[]) and not exists (
        select from counted
        where counted.user_id = known.user_id and counted.day = known.day
          and counted.subject_id = known.subject_id
      )
      returning user_id
    ),
    corrected as (
      insert into study_subject_day as known (user_id, day, subject_id, focus_ms)
      select user_id, day, subject_id, focus_ms from counted order by user_id, day, subject_id
      on conflict (user_id, day, subject_id) do update set focus_ms = excluded.focus_ms
      where known.focus_ms <> excluded.focus_ms
      returning user_id
    )
    select user_id from gone union all select user_id from corrected`.execute(db);
  return countOf(result);
}

async function correctRecords(db: Database, userIds: readonly UserId[]): Promise<number> {
  const attended = sql`(
    select user_id, day as last_day, 1 as length from study_day
    where user_id = any(${userIds}::bigint[]) and ${isAttended(sql`focus_ms`)}
  )`;
  const result = await sql`
    with counted as (
      select user_id, coalesce(totals.focus_ms, 0)::bigint as focus_ms,
             coalesce(totals.away_ms, 0)::bigint as away_ms,
             coalesce(attendance_days, 0) as attendance_days,
             coalesce(streak_days, 0) as streak_days,
             coalesce(longest_streak_days, 0) as longest_streak_days,
             last_attended_day, latest.day as latest_day,
             coalesce(latest.focus_ms, 0)::bigint as latest_day_focus_ms, ends.counted_until
      from unnest(${userIds}::bigint[]) as learner (user_id)
      left join (
        select user_id, sum(focus_ms) as focus_ms, sum(away_ms) as away_ms
        from study_day where user_id = any(${userIds}::bigint[]) group by user_id
      ) as totals using (user_id)
      left join (${attendanceOf(attended)}) as attendance using (user_id)
      left join lateral (
        select day, focus_ms from study_day where user_id = learner.user_id order by day desc limit 1
      ) as latest on true
      left join lateral (
        select greatest(
          (select max(ended_at) from focus_interval where user_id = learner.user_id),
          (select max(ended_at) from visit where user_id = learner.user_id)
        ) as counted_until
      ) as ends on true
    )
    insert into study_record as known
      (user_id, focus_ms, away_ms, attendance_days, streak_days, longest_streak_days,
       last_attended_day, latest_day, latest_day_focus_ms, counted_until)
    select * from counted
    where counted_until is not null
      or exists (select from study_record where user_id = counted.user_id)
    order by user_id
    on conflict (user_id) do update
    set focus_ms = excluded.focus_ms, away_ms = excluded.away_ms,
        attendance_days = excluded.attendance_days, streak_days = excluded.streak_days,
        longest_streak_days = excluded.longest_streak_days,
        last_attended_day = excluded.last_attended_day, latest_day = excluded.latest_day,
        latest_day_focus_ms = excluded.latest_day_focus_ms, counted_until = excluded.counted_until
    where (known.focus_ms, known.away_ms, known.attendance_days, known.streak_days,
           known.longest_streak_days, known.last_attended_day, known.latest_day,
           known.latest_day_focus_ms, known.counted_until)
      is distinct from
          (excluded.focus_ms, excluded.away_ms, excluded.attendance_days, excluded.streak_days,
           excluded.longest_streak_days, excluded.last_attended_day, excluded.latest_day,
           excluded.latest_day_focus_ms, excluded.counted_until)
    returning user_id`.execute(db);
  return countOf(result);
}
