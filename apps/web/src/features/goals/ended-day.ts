import { type DatedGoal, GOAL_TASKS_MAX, isPlannedFor } from '@mogakgong/contract';

/** Today's goal with the unsaved one of an ended day: all of it but its tasks, and those that it planned for today. */
export function carriedTo(today: DatedGoal, ended: Omit<DatedGoal, 'version'>): DatedGoal {
  const { day, tasks } = today;
  const planned = ended.plan
    .filter((task) => isPlannedFor(task, day) && tasks.every(({ text }) => text !== task.text))
    .map(({ text }) => ({ text, isDone: false }));
  const carriedOver = tasks.filter(({ fromDay }) => fromDay !== undefined).length;
  const most = carriedOver + GOAL_TASKS_MAX;
  return { ...today, ...ended, day, tasks: [...tasks, ...planned].slice(0, most) };
}
