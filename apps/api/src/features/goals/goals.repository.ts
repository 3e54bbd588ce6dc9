import type { GoalTask, StudyDay, TodayGoal, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A learner's goal, with the day that its tasks are for. */
export interface GoalRow extends TodayGoal {
  readonly userId: UserId;
  readonly day: StudyDay;
}

/** The only queries on goals. */
export function createGoalsRepository(database: Database) {
  return {
    async findGoals(userIds: readonly UserId[]): Promise<GoalRow[]> {
      const { rows } = await sql<GoalRow>`
        select user_id as "userId", target_minutes as "targetMinutes", is_visible as "isVisible",
               day::text as day, tasks
        from study_goal where user_id = any(${userIds}::bigint[])`.execute(database);
      return rows;
    },

    async findVisibleGoals(userIds: readonly UserId[]): Promise<GoalRow[]> {
      const { rows } = await sql<GoalRow>`
        select user_id as "userId", target_minutes as "targetMinutes", is_visible as "isVisible",
               day::text as day, tasks
        from study_goal where user_id = any(${userIds}::bigint[]) and is_visible`.execute(database);
      return rows;
    },

    async saveGoal(userId: UserId, goal: TodayGoal, day: StudyDay): Promise<void> {
      const tasks: readonly GoalTask[] = goal.tasks;
      await sql`
        insert into study_goal (user_id, target_minutes, is_visible, day, tasks)
        values (${userId}, ${goal.targetMinutes}, ${goal.isVisible}, ${day}, ${JSON.stringify(tasks)})
        on conflict (user_id) do update
        set target_minutes = excluded.target_minutes, is_visible = excluded.is_visible,
            day = excluded.day, tasks = excluded.tasks`.execute(database);
    },
  };
}

export type GoalsRepository = ReturnType<typeof createGoalsRepository>;
