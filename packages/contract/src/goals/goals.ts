import * as z from 'zod/mini';
import { FollowedPhases, StudyDay } from '../focus/clock.ts';
import { oneLine } from '../one-line.ts';
import { ServerTimeMs } from '../server-time.ts';
import { EXAM_DAYS_MAX, ExamDay, isPlannedFor, PLANNED_TASKS_MAX, PlannedTask } from './plan.ts';

/** Maximum number of tasks of a day, without those carried over. */
export const GOAL_TASKS_MAX = 5;
/** Maximum number of unfinished tasks of earlier days that a day keeps: the newest. */
export const CARRIED_TASKS_MAX = 10;
/** In characters, after trimming. */
export const GOAL_TASK_MAX_LENGTH = 60;
/** The largest target of a day, and of a week, in minutes. */
const GOAL_TARGET_MAX_MINUTES = 24 * 60;
export const WEEK_TARGET_MAX_MINUTES = 7 * GOAL_TARGET_MAX_MINUTES;
/** Maximum length of a task before it is trimmed. */
const TASK_RAW_MAX_LENGTH = 200;

const GoalTask = z.object({
  text: z.string(),
  isDone: z.boolean(),
  /** The day of a task that was carried over, because it was not finished. */
  fromDay: z.optional(StudyDay),
});
export type GoalTask = z.infer<typeof GoalTask>;

const WeekMinutes = z.nullable(z.int().check(z.gte(1), z.lte(WEEK_TARGET_MAX_MINUTES)));

/** A learner's goal of today and their plan. Targets are kept from day to day, tasks belong to a day. */
export const TodayGoal = z.object({
  /** Target focus per day; null for none. */
  targetMinutes: z.nullable(z.int().check(z.gte(1), z.lte(GOAL_TARGET_MAX_MINUTES))),
  tasks: z.array(GoalTask),
  /** Whether others see target and tasks of today on the tile; private by default, like all else here. */
  isVisible: z.boolean(),
  /** Target focus from Monday to Sunday; null for none. */
  weekMinutes: z._default(WeekMinutes, null),
  /** Tasks of later days, and repeated ones. */
  plan: z._default(z.array(PlannedTask), []),
  exams: z._default(z.array(ExamDay), []),
});
export type TodayGoal = z.infer<typeof TodayGoal>;

const RawText = z.string().check(z.maxLength(TASK_RAW_MAX_LENGTH));

/** The body of PUT. Parts of the plan that are left out stay as they are. */
export const GoalPayload = z.extend(TodayGoal, {
  tasks: z
    .array(z.extend(GoalTask, { text: RawText }))
    .check(z.maxLength(GOAL_TASKS_MAX + CARRIED_TASKS_MAX)),
  weekMinutes: z.optional(WeekMinutes),
  plan: z.optional(
    z.array(z.extend(PlannedTask, { text: RawText })).check(z.maxLength(PLANNED_TASKS_MAX)),
  ),
  exams: z.optional(
    z.array(z.extend(ExamDay, { name: RawText })).check(z.maxLength(EXAM_DAYS_MAX)),
  ),
  /** The day that the page showed: once it has ended, nothing is stored (409). */
  day: z.optional(StudyDay),
});
export type GoalPayload = z.infer<typeof GoalPayload>;

/** The reply of GET and PUT, and the notice to every tab. */
export const DatedGoal = z.extend(TodayGoal, {
  day: StudyDay,
  /** Increases with every save, from any tab; 0 before the first. A smaller number is older. */
  version: z.int(),
});
export type DatedGoal = z.infer<typeof DatedGoal>;

/**
 * The part of a visible goal that others see on the tile. `todayMs` computes the focus of today from it; from
 * `dayEndsAtMs` on its tasks are yesterday's.
 */
export const VisibleGoal = z.object({
  targetMinutes: z.nullable(z.int()),
  tasks: z.array(GoalTask),
  /** Focused today in intervals that are closed. */
  focusMs: z.int(),
  /** Start of the running focus, or of today if later; null while none runs. */
  runningSinceMs: z.nullable(ServerTimeMs),
  dayEndsAtMs: ServerTimeMs,
  phases: z.optional(FollowedPhases),
});
export type VisibleGoal = z.infer<typeof VisibleGoal>;

/** A task as it is stored, or null: see `oneLine`. */
export const goalTaskText = (text: string) => oneLine(text, GOAL_TASK_MAX_LENGTH);

/** Whether no further task can be planned for a day. */
export function isPlanFull(plan: readonly PlannedTask[], day: StudyDay): boolean {
  return plan.filter((task) => isPlannedFor(task, day)).length >= GOAL_TASKS_MAX;
}

/** How much of the target is reached, 0 to 1. */
export function goalShare(targetMinutes: number, focusMs: number): number {
  return Math.min(1, Math.max(0, focusMs / (targetMinutes * 60_000)));
}
