import type { StudyDay, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  attendanceWith,
  becomesAttended,
  closedFocusOn,
  currentDay,
  dayPieces,
  runningWithRecord,
} from '../focus/index.ts';

/** A learner's sums and attendance, the running interval included. */
export interface Totals {
  readonly focusMs: number;
  readonly awayMs: number;
  readonly attendanceDays: number;
  /** Attended days in a row up to today, or up to yesterday while today is not attended yet. */
  readonly streakDays: number;
  readonly longestStreakDays: number;
  readonly lastAttendedDay: StudyDay | null;
}

/** SQL for a learner's totals: it reads the record's row and that of the open visit. */
export function totalsQuery(userId: UserId, now: Date): RawBuilder<Totals> {
  const newDays = sql`(
    select piece.user_id, piece.day
    from piece cross join lateral (select ${closedFocusOn(sql`piece.day`)} as focus_ms) as closed
    where piece.status = 'focus' and ${becomesAttended(sql`closed.focus_ms`, sql`piece.ms`)}
  )`;
  const running = (status: string) => sql`
    coalesce((select sum(ms) from piece where status = ${sql.lit(status)}), 0)::bigint`;
  return sql<Totals>`
    with record as (
      select * from (select ${userId}::bigint as asked) as one
      left join study_record on user_id = asked
    ),
    piece as (
      select piece.user_id, piece.status, piece.day, sum(piece.ms)::bigint as ms
      from record cross join lateral (${dayPieces(runningWithRecord(userId, now))}) as piece
      group by piece.user_id, piece.status, piece.day
    )
    select coalesce(record.focus_ms, 0) + ${running('focus')} as "focusMs",
           coalesce(record.away_ms, 0) + ${running('away')} as "awayMs",
           attended.attendance_days as "attendanceDays", attended.streak_now as "streakDays",
           attended.longest_streak_days as "longestStreakDays",
           attended.last_attended_day::text as "lastAttendedDay"
    from record
    cross join lateral ${currentDay(now)} as today
    cross join lateral ${attendanceWith(newDays, sql`today.day`)} as attended`;
}
