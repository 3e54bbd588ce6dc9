import * as z from 'zod/mini';
import { ServerTimeMs, StudyDay } from '../focus/clock.ts';
import { oneLine } from '../one-line.ts';

/** Maximum number of tasks of a day. */
export const GOAL_TASKS_MAX = 5;
/** In characters, after trimming. */
export const GOAL_TASK_MAX_LENGTH = 60;
/** The largest target, in minutes. */
const GOAL_TARGET_MAX_MINUTES = 24 * 60;
/** Maximum length of a task before it is trimmed. */
const TASK_RAW_MAX_LENGTH = 200;

const GoalTask = z.object({ text: z.string(), isDone: z.boolean() });
export type GoalTask = z.infer<typeof GoalTask>;

/** A learner's goal of today. The target is kept from day to day, tasks belong to a day. */
export const TodayGoal = z.object({
  /** Target focus per day; null for none. */
  targetMinutes: z.nullable(z.int().check(z.gte(1), z.lte(GOAL_TARGET_MAX_MINUTES))),
  tasks: z.array(GoalTask),
  /** Whether others see it on the tile; private by default. */
  isVisible: z.boolean(),
});
export type TodayGoal = z.infer<typeof TodayGoal>;

/** The body of PUT. */
export const GoalPayload = z.extend(TodayGoal, {
  tasks: z
    .array(z.extend(GoalTask, { text: z.string().check(z.maxLength(TASK_RAW_MAX_LENGTH)) }))
    .check(z.maxLength(GOAL_TASKS_MAX)),
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
});
export type VisibleGoal = z.infer<typeof VisibleGoal>;

/** A task as it is stored, or null: see `oneLine`. */
export const goalTaskText = (text: string) => oneLine(text, GOAL_TASK_MAX_LENGTH);

/** How much of the target is reached, 0 to 1. */
export function goalShare(targetMinutes: number, focusMs: number): number {
  return Math.min(1, Math.max(0, focusMs / (targetMinutes * 60_000)));
}
