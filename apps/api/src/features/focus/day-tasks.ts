import {
  addDays,
  CARRIED_TASKS_MAX,
  daysUntil,
  type GoalTask,
  isPlannedFor,
  type PlannedTask,
  type StudyDay,
} from '@mogakgong/contract';

/** A learner's tasks as they are stored: those of one day, and what is planned. */
export interface StoredTasks {
  readonly day: StudyDay;
  readonly tasks: readonly GoalTask[];
  readonly plan: readonly PlannedTask[];
}

/**
 * The tasks of a day (decision 141): unfinished ones of earlier days are carried over, the newest
 * `CARRIED_TASKS_MAX`, before those planned for the day. A repeated task counts on its days only, and a task that is
 * planned for the day is not carried over as well. The stored tasks stay those of a day that is not later.
 */
export function tasksOf(stored: StoredTasks | undefined, day: StudyDay): readonly GoalTask[] {
  if (stored === undefined) return [];
  if (day <= stored.day) return stored.tasks;
  const due = stored.plan
    .filter((task) => isPlannedFor(task, day))
    .map(({ text }) => ({ text, isDone: false }));
  const unfinished = stored.tasks
    .filter(({ isDone }) => !isDone)
    .map((task) => ({ ...task, fromDay: task.fromDay ?? stored.day }));
  const missed = stored.plan.flatMap(({ text, day: planned }) =>
    planned !== null && planned > stored.day && planned < day
      ? [{ text, isDone: false, fromDay: planned }]
      : [],
  );
  const dueTexts = new Set(due.map(({ text }) => text));
  const carried = [...unfinished, ...missed]
    .filter(({ text }) => !dueTexts.has(text))
    .toSorted((one, other) => daysUntil(other.fromDay, one.fromDay))
    .slice(-CARRIED_TASKS_MAX);
  return [...carried, ...due];
}

/** The planned tasks that are still to come after a day. */
export function planAfter(plan: readonly PlannedTask[], day: StudyDay): readonly PlannedTask[] {
  return plan.filter((task) => task.day === null || task.day > day);
}

/** The most tasks that are planned for any one day. */
export function mostPlanned(plan: readonly PlannedTask[]): number {
  // Each day with a task of its own, and a week that has none.
  const days = plan.flatMap(({ day }) => (day === null ? [] : [day]));
  const week = Array.from({ length: 7 }, (_, index) => addDays('0001-01-01', index));
  const counts = [...days, ...week].map(
    (day) => plan.filter((task) => isPlannedFor(task, day)).length,
  );
  return Math.max(...counts);
}
