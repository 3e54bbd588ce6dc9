import { type GoalTask, todayMs, type VisibleGoal } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { GoalRing } from './goal-ring.tsx';

const RING_PX = 26;
/** The ring moves in steps of so much: nobody sees less. */
const STEP_MS = 30_000;

interface OwnTileGoalProps {
  readonly targetMinutes: number;
  readonly todaySeconds: number;
}

/** The ring on one's own tile. */
export function OwnGoalRing({ targetMinutes, todaySeconds }: OwnTileGoalProps) {
  return <GoalRing targetMinutes={targetMinutes} focusMs={todaySeconds * 1_000} size={RING_PX} />;
}

/** The ring of another learner who shows it; it goes on with their clock. */
export function OthersGoalRing({ goal }: { readonly goal: VisibleGoal }) {
  const focusMs = useSecond((nowMs) => Math.floor(todayMs(goal, nowMs) / STEP_MS) * STEP_MS);
  if (goal.targetMinutes === null) return null;
  return <GoalRing targetMinutes={goal.targetMinutes} focusMs={focusMs} size={RING_PX} />;
}

/** What a learner is at: their first task that is not done. Yesterday's are not told. */
export function OthersTask({ goal }: { readonly goal: VisibleGoal }) {
  const isToday = useSecond((nowMs) => nowMs < goal.dayEndsAtMs);
  const task = currentTask(goal.tasks);
  if (!isToday || task === undefined) return null;
  return <p className="tile-task truncate text-tiny text-ink-soft">{task.text}</p>;
}

function currentTask(tasks: readonly GoalTask[]): GoalTask | undefined {
  return tasks.find(({ isDone }) => !isDone);
}
