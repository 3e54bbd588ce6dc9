import type { GoalTask, StudyDay, TodayGoal, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';

/** A learner's goal, with the day of its tasks. */
export interface GoalRow extends TodayGoal {
  readonly day: StudyDay;
  readonly version: number;
}

/** A goal to store: what it leaves out of the plan stays. */
export type SavableGoal = Pick<TodayGoal, 'targetMinutes' | 'isVisible'> & {
  readonly day: StudyDay;
  readonly tasks: readonly GoalTask[];
} & { readonly [Part in 'weekMinutes' | 'plan' | 'exams']: TodayGoal[Part] | undefined };

interface SavedGoal extends Pick<TodayGoal, 'weekMinutes' | 'plan' | 'exams'> {
  readonly version: number;
  /** Its number in the room's roster; null if others see no change. */
  readonly change: SeatChange | null;
}

/** The queries that read and store a learner's own goal. */
export function createGoalsRepository(database: Database) {
  return {
    async findGoal(userId: UserId): Promise<GoalRow | undefined> {
      const { rows } = await sql<GoalRow>`
        select target_minutes as "targetMinutes", is_visible as "isVisible", day::text as day,
               tasks, week_minutes as "weekMinutes", plan, exams, version
        from study_goal where user_id = ${userId}`.execute(database);
      return rows[0];
    },

    /**
     * Stores a goal, and counts it as a change of the room unless it was and stays hidden: in one statement,
     * so that a goal made private never stays on a tile.
     */
    saveGoal: (userId: UserId, goal: SavableGoal): Promise<SavedGoal> =>
      retryConflict(() => saveGoal(database, userId, goal)),
  };
}

async function saveGoal(
  database: Database,
  userId: UserId,
  { targetMinutes, isVisible, day, tasks, ...parts }: SavableGoal,
): Promise<SavedGoal> {
  const json = (value: unknown) =>
    sql`${value === undefined ? null : JSON.stringify(value)}::jsonb`;
  const [plan, exams] = [json(parts.plan), json(parts.exams)];
  const hasWeek = parts.weekMinutes !== undefined;
  const weekMinutes = parts.weekMinutes ?? null;
  // Locks the row first, then the room. A goal that a concurrent save stores for the first time is not found,
  // and counts as visible before.
  const { rows } = await sql<SavedGoal & SeatChange>`
    with before as (
      select is_visible from study_goal where user_id = ${userId} for update
    ), saved as (
      insert into study_goal as known
        (user_id, target_minutes, is_visible, day, tasks, week_minutes, plan, exams)
      select ${userId}, ${targetMinutes}, ${isVisible}, ${day}::date, ${json(tasks)},
             ${weekMinutes}, coalesce(${plan}, '[]'), coalesce(${exams}, '[]')
      from (select count(*) from before) as read
      on conflict (user_id) do update
      set target_minutes = excluded.target_minutes, is_visible = excluded.is_visible,
          day = excluded.day, tasks = excluded.tasks, version = known.version + 1,
          week_minutes = case when ${hasWeek} then excluded.week_minutes else known.week_minutes end,
          plan = coalesce(${plan}, known.plan), exams = coalesce(${exams}, known.exams)
      returning user_id, version, is_visible, week_minutes, plan, exams
    ), shown as (
      select user_id from saved
      where is_visible or not exists (select from before where not is_visible)
    ),
    ${countOneUpdate(sql<UserId>`(select user_id from shown)`)}
    select saved.version, saved.week_minutes as "weekMinutes", saved.plan, saved.exams,
           saved.user_id as "userId", counted_update.room_id as "roomId", counted_update.number
    from saved left join counted_update on true`.execute(database);
  const [saved] = rows;
  if (!saved) throw new Error('a goal was not stored');
  const { version, weekMinutes: week, plan: storedPlan, exams: storedExams, ...change } = saved;
  return {
    ...{ version, weekMinutes: week, plan: storedPlan, exams: storedExams },
    change: change.roomId === null ? null : change,
  };
}
