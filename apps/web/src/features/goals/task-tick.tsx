import type { GoalTask } from '@mogakgong/contract';
import { Checkbox } from '../../shared/ui/checkbox.tsx';

/** The tasks with one of them marked done or not done. */
export function ticked(tasks: readonly GoalTask[], index: number, isDone: boolean): GoalTask[] {
  return tasks.map((task, at) => (at === index ? { ...task, isDone } : task));
}

interface TaskTickProps {
  readonly task: GoalTask;
  readonly onTick: (isDone: boolean) => void;
}

/** The checkbox of one task. */
export function TaskTick({ task, onTick }: TaskTickProps) {
  return (
    <Checkbox
      label={
        <span className={task.isDone ? 'text-ink-soft line-through' : undefined}>{task.text}</span>
      }
      checked={task.isDone}
      onChange={(event) => onTick(event.target.checked)}
    />
  );
}
