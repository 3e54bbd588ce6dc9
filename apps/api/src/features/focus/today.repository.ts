import { DEFAULT_TIME_ZONE, type StudyDay, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countsSince, learnerDay } from '../visits/index.ts';

export interface TodayRow<Beside> {
  readonly userId: UserId;
  readonly day: StudyDay;
  readonly timeZone: string;
  readonly focusMs: number;
  readonly runningSince: Date | null;
  readonly dayStartsAt: Date;
  readonly dayEndsAt: Date;
  /** What a later feature asked to be read in the same statement. */
  readonly beside: Beside;
}

/**
 * SQL for a value that a later feature shows beside the clock of `asked.user_id`. It is read in the
 * statement that reads today, so that a move of the timer does not cost one more.
 */
export type BesideToday<Value> = RawBuilder<Value>;
export const nothingBeside: BesideToday<null> = sql`null`;

/** SQL for the zone of a learner's days, from a relation `record` of study_record. */
const timeZone = sql<string>`coalesce(record.time_zone, ${DEFAULT_TIME_ZONE})`;

/** SQL for a moment's day of a learner, from a relation `record` of study_record. */
export function currentDay(now: Date): RawBuilder<unknown> {
  const moment = sql`${now}::timestamptz`;
  const rule = {
    timeZone,
    dayStartMinutes: sql`coalesce(record.day_start_minutes, 0)`,
  };
  return learnerDay(moment, rule);
}

/** SQL for a learner's focus of a day in closed intervals, from a relation `record` of study_record. */
export function closedFocusOn(day: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    case
      when record.latest_day = ${day} then record.latest_day_focus_ms
      -- Only a journey or a clock that was set back leads before the latest day.
      when record.latest_day > ${day} then coalesce((
        select study_day.focus_ms from study_day
        where study_day.user_id = record.user_id and study_day.day = ${day}
      ), 0)
      else 0
    end
  )`;
}

/** SQL, one row a learner: today's closed focus, and the focus that runs. */
export function todayQuery<Beside>(
  userIds: readonly UserId[],
  now: Date,
  beside: BesideToday<Beside>,
): RawBuilder<TodayRow<Beside>> {
  return sql<TodayRow<Beside>>`
    select asked.user_id as "userId", today.day::text as day,
           ${timeZone} as "timeZone",
           ${closedFocusOn(sql`today.day`)} as "focusMs",
           case when visit.status = 'focus'
             then greatest(${countsSince()}, today.begins_at) end as "runningSince",
           today.begins_at as "dayStartsAt", today.ends_at as "dayEndsAt",
           ${beside} as beside
    from unnest(${userIds}::bigint[]) as asked (user_id)
    -- Look-ups: for a plan that is kept for any number of learners, joins may read everybody's rows.
    left join lateral (
      select * from study_record where study_record.user_id = asked.user_id limit 1
    ) as record on true
    left join lateral (
      select * from visit where visit.user_id = asked.user_id and visit.ended_at is null limit 1
    ) as visit on true
    cross join lateral ${currentDay(now)} as today`;
}

/** Reads what learners studied today: one row of the record and the open visit each. */
export function createTodayRepository(database: Database) {
  return {
    async findTodays<Beside>(
      userIds: readonly UserId[],
      now: Date,
      beside: BesideToday<Beside>,
    ): Promise<TodayRow<Beside>[]> {
      const { rows } = await todayQuery(userIds, now, beside).execute(database);
      return rows;
    },
  };
}

export type TodayRepository = ReturnType<typeof createTodayRepository>;
