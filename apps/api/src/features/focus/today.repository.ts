import {
  DEFAULT_TIME_ZONE,
  type FollowedPhases,
  type StudyDay,
  type Today,
  todayMs,
  type UserId,
  type VisibleGoal,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { type StoredTasks, tasksOf } from './day-tasks.ts';
import { learnerDay, msBetween } from './learner-days.ts';
import { countsSince, partsUntil, phasesOf } from './visits.ts';

const BATCH_SIZE = 500;

interface TodayRow {
  readonly userId: UserId;
  readonly day: StudyDay;
  readonly timeZone: string;
  readonly focusMs: number;
  readonly runningSince: Date | null;
  readonly manualMs: number;
  readonly phases: FollowedPhases | null;
  readonly dayStartsAt: Date;
  readonly dayEndsAt: Date;
}

/** The part of a stored goal that others may see. */
interface GoalOfDay extends StoredTasks {
  readonly targetMinutes: number | null;
}

/** A learner's day with their visible goal and subject. */
export interface ShownDay {
  readonly today: Today;
  readonly goal: VisibleGoal | undefined;
  /** The name of the subject, if it is shown. */
  readonly subject: string | undefined;
}

/** The same day without what the learner has written. */
export function withoutTexts({ today, goal }: ShownDay): ShownDay {
  const hasTarget = goal !== undefined && goal.targetMinutes !== null;
  return { today, goal: hasTarget ? { ...goal, tasks: [] } : undefined, subject: undefined };
}

/** SQL for the zone of a learner's days, from a relation `record` of study_record. */
const timeZone = sql<string>`coalesce(record.time_zone, ${DEFAULT_TIME_ZONE})`;

/** SQL for a moment's day of a learner by their present rule, from a relation `record` of study_record. */
export function currentDay(at: Date | RawBuilder<Date>): RawBuilder<unknown> {
  const moment = sql`${at}::timestamptz`;
  const rule = {
    timeZone,
    dayStartMinutes: sql`coalesce(record.day_start_minutes, 0)`,
  };
  return learnerDay(moment, rule);
}

/**
 * SQL for the moment of the same local time seven days ago, from a relation `record` of study_record. A time
 * that the clock skipped counts as the one after the jump.
 */
export function weekBefore(now: Date): RawBuilder<Date> {
  return sql`((${now}::timestamptz at time zone ${timeZone} - interval '7 days') at time zone ${timeZone})`;
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

/** SQL, one row per learner: today's closed focus, and the running focus. */
export function todayQuery(userIds: readonly UserId[], now: Date): RawBuilder<TodayRow> {
  const startedAt = sql`greatest(part.started_at, today.begins_at)`;
  return sql<TodayRow>`
    select asked.user_id as "userId", today.day::text as day,
           ${timeZone} as "timeZone",
           ${closedFocusOn(sql`today.day`)} + running.passed_ms as "focusMs",
           running.since as "runningSince", ${phasesOf(sql`running.last_since`)} as phases,
           coalesce((
             select sum(${msBetween(sql`started_at`, sql`ended_at`)}) from manual_study
             where manual_study.user_id = asked.user_id and manual_study.day = today.day
           ), 0)::bigint as "manualMs",
           today.begins_at as "dayStartsAt", today.ends_at as "dayEndsAt"
    from unnest(${userIds}::bigint[]) as asked (user_id)
    -- Look-ups: for a plan that is kept for any number of learners, joins may read everybody's rows.
    left join lateral (
      select * from study_record where study_record.user_id = asked.user_id limit 1
    ) as record on true
    left join lateral (
      select * from visit where visit.user_id = asked.user_id and visit.ended_at is null limit 1
    ) as visit on true
    cross join lateral ${currentDay(now)} as today
    cross join lateral (
      select coalesce(sum(${msBetween(startedAt, sql`part.ended_at`)}) filter (
               where part.status = 'focus' and not part.is_last and part.ended_at > today.begins_at
             ), 0)::bigint as passed_ms,
             min(${startedAt}) filter (where part.status = 'focus' and part.is_last) as since,
             min(part.started_at) filter (where part.is_last) as last_since
      from ${partsUntil(sql`${now}::timestamptz`, countsSince())} as part
    ) as running`;
}

/** Reads the study time of today: one row of the record and the open visit each. */
export function createTodayRepository(database: Database) {
  return {
    async findTodays(userIds: readonly UserId[], now: Date): Promise<ReadonlyMap<UserId, Today>> {
      const { rows } = await todayQuery(userIds, now).execute(database);
      return new Map(rows.map((row) => [row.userId, toToday(row, now)]));
    },

    /** The same with visible goals, in one statement. */
    async findShownDays(
      userIds: readonly UserId[],
      now: Date,
    ): Promise<ReadonlyMap<UserId, ShownDay>> {
      const { rows } = await sql<TodayRow & { goal: GoalOfDay | null; subject: string | null }>`
        select today.*, (
          select json_build_object('targetMinutes', target_minutes, 'day', day, 'tasks', tasks,
                                   'plan', plan)
          from study_goal where user_id = today."userId" and is_visible
        ) as goal, (
          select subject.name from study_record as record
          join visit on visit.user_id = record.user_id and visit.ended_at is null
          join study_subject as subject
            on subject.user_id = visit.user_id and subject.id = visit.subject_id
          where record.user_id = today."userId" and record.shows_subject
        ) as subject
        from (${todayQuery(userIds, now)}) as today`.execute(database);
      return new Map(
        rows.map((row) => {
          const today = toToday(row, now);
          const subject = row.subject ?? undefined;
          return [row.userId, { today, goal: visibleGoalOf(row.goal, today), subject }];
        }),
      );
    },
  };
}

export type TodayRepository = ReturnType<typeof createTodayRepository>;

/** Reads the days of learners that are requested at the same time in one statement. */
export function batchDays<Day>(
  find: (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Day>>,
): (userId: UserId) => Promise<Day> {
  return createBatcher(async (userIds) => {
    const days = await find([...new Set(userIds)]);
    return userIds.map((userId) => {
      const day = days.get(userId);
      if (day === undefined) throw new Error('a learner has no day');
      return day;
    });
  }, BATCH_SIZE);
}

function toToday(row: TodayRow, now: Date): Today {
  const serverNowMs = now.getTime();
  const today = {
    day: row.day,
    timeZone: row.timeZone,
    focusMs: row.focusMs,
    runningSinceMs: row.runningSince?.getTime() ?? null,
    ...(row.manualMs > 0 && { manualMs: row.manualMs }),
    ...(row.phases && { phases: row.phases }),
    dayStartsAtMs: row.dayStartsAt.getTime(),
    dayEndsAtMs: row.dayEndsAt.getTime(),
    serverNowMs,
  };
  return { ...today, todayStudyTime: Math.floor(todayMs(today, serverNowMs) / 1_000) };
}

function visibleGoalOf(goal: GoalOfDay | null, today: Today): VisibleGoal | undefined {
  if (goal === null) return undefined;
  const { day, focusMs, runningSinceMs, dayEndsAtMs, phases } = today;
  const { targetMinutes } = goal;
  // Others need not know what was put off.
  const tasks = tasksOf(goal, day).map(({ text, isDone }) => ({ text, isDone }));
  const isEmpty = targetMinutes === null && tasks.length === 0;
  const counted = { focusMs, runningSinceMs, dayEndsAtMs, ...(phases && { phases }) };
  return isEmpty ? undefined : { targetMinutes, tasks, ...counted };
}
