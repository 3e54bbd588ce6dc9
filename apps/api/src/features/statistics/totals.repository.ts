import type { StudyDay, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { closedFocusOn, currentDay, dayPieces, runningWithRecord } from '../focus/index.ts';

/** A part of what runs, on one day of the learner. */
export interface RunningPiece {
  readonly day: StudyDay;
  readonly status: 'focus' | 'pause' | 'away';
  readonly ms: number;
  /** Focus of that day in closed intervals. */
  readonly beforeMs: number;
}

export interface TotalsRow {
  readonly focusMs: number;
  readonly awayMs: number;
  readonly attendanceDays: number;
  readonly streakDays: number;
  readonly longestStreakDays: number;
  readonly lastAttendedDay: StudyDay | null;
  readonly today: StudyDay;
  readonly running: readonly RunningPiece[];
}

/** SQL: a learner's record, and by day what runs: the record's row and that of the open visit. */
export function totalsQuery(userId: UserId, now: Date): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`
    select coalesce(record.focus_ms, 0) as "focusMs", coalesce(record.away_ms, 0) as "awayMs",
           coalesce(attendance_days, 0) as "attendanceDays", coalesce(streak_days, 0) as "streakDays",
           coalesce(longest_streak_days, 0) as "longestStreakDays",
           last_attended_day::text as "lastAttendedDay", today.day::text as today,
           (
             select coalesce(json_agg(json_build_object(
               'day', piece.day, 'status', piece.status, 'ms', piece.ms,
               'beforeMs', ${closedFocusOn(sql`piece.day`)}
             ) order by piece.day), '[]')
             from (${dayPieces(runningWithRecord(userId, now))}) as piece
           ) as running
    from (select ${userId}::bigint as user_id) as asked
    left join study_record as record on record.user_id = asked.user_id
    cross join lateral ${currentDay(now)} as today`;
}

export function createTotalsRepository(database: Database) {
  return {
    async findTotals(userId: UserId, now: Date): Promise<TotalsRow> {
      const { rows } = await totalsQuery(userId, now).execute(database);
      const [row] = rows;
      if (!row) throw new Error('a learner has no day');
      return row;
    },
  };
}

export type TotalsRepository = ReturnType<typeof createTotalsRepository>;
