import { todayMs, type VisibleGoal } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { GoalRing } from './goal-ring.tsx';

const RING_PX = 26;
/** The ring moves in steps of this length: smaller ones are invisible. */
const STEP_MS = 30_000;

/** Another learner's visible ring; it advances with their clock. */
export function OthersGoalRing({ goal }: { readonly goal: VisibleGoal }) {
  const focusMs = useSecond((nowMs) => Math.floor(todayMs(goal, nowMs) / STEP_MS) * STEP_MS);
  if (goal.targetMinutes === null) return null;
  return <GoalRing targetMinutes={goal.targetMinutes} focusMs={focusMs} size={RING_PX} />;
}

/** Another learner's first open task, unless the goal is of an earlier day. */
export function OthersTask({ goal }: { readonly goal: VisibleGoal }) {
  const isToday = useSecond((nowMs) => nowMs < goal.dayEndsAtMs);
  const task = goal.tasks.find(({ isDone }) => !isDone);
  if (!isToday || task === undefined) return null;
  return <p className="tile-task truncate text-tiny">{task.text}</p>;
}
