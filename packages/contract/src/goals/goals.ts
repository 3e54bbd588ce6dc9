import * as z from 'zod/mini';
import { StudyDay } from '../focus/today.ts';

/** Short tasks that a day may have at most. */
export const GOAL_TASKS_MAX = 5;
export const GOAL_TASK_MAX_LENGTH = 60;
/** The longest day that may be aimed at. */
export const GOAL_TARGET_MAX_MINUTES = 24 * 60;

const GoalTask = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(GOAL_TASK_MAX_LENGTH)),
  isDone: z.boolean(),
});
export type GoalTask = z.infer<typeof GoalTask>;

/** What a learner sets out to do today. The target stays from day to day, tasks belong to a day. */
export const TodayGoal = z.object({
  /** Focus aimed at a day; null for none. */
  targetMinutes: z.nullable(z.int().check(z.gte(1), z.lte(GOAL_TARGET_MAX_MINUTES))),
  tasks: z.array(GoalTask).check(z.maxLength(GOAL_TASKS_MAX)),
  /** Whether others see it on the tile; private unless the learner says so. */
  isVisible: z.boolean(),
});
export type TodayGoal = z.infer<typeof TodayGoal>;

/** GET and PUT /api/goals/today. */
export const DatedGoal = z.extend(TodayGoal, { day: StudyDay });
export type DatedGoal = z.infer<typeof DatedGoal>;

/** What others see of a visible goal, on the tile. */
export const VisibleGoal = z.object({
  targetMinutes: z.nullable(z.int()),
  /** Focused today when this was told; it goes on with the member's clock. */
  todayFocusMs: z.int(),
  tasks: z.array(GoalTask),
});
export type VisibleGoal = z.infer<typeof VisibleGoal>;

/** How much of the target is reached, 0 to 1. */
export function goalShare(targetMinutes: number, focusMs: number): number {
  return Math.min(1, Math.max(0, focusMs / (targetMinutes * 60_000)));
}
