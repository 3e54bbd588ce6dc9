import { type TodayGoal, todayMs, type UserId, type VisibleGoal } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { useTodaySeconds } from '../../shared/today/today.ts';
import { GoalRing } from './goal-ring.tsx';

const RING_PX = 26;
/** The ring moves in steps of so much: less is not visible. */
const STEP_MS = 30_000;

interface OwnGoalRingProps {
  readonly userId: UserId;
  readonly goal: TodayGoal;
  /** Pixels of its square. */
  readonly size: number;
}

export function OwnGoalRing({ userId, goal: { targetMinutes }, size }: OwnGoalRingProps) {
  const todaySeconds = useTodaySeconds(userId) ?? 0;
  if (targetMinutes === null) return null;
  return <GoalRing targetMinutes={targetMinutes} focusMs={todaySeconds * 1_000} size={size} />;
}

/** The ring of another learner who shows it; it advances with their clock. */
export function OthersGoalRing({ goal }: { readonly goal: VisibleGoal }) {
  const focusMs = useSecond((nowMs) => Math.floor(todayMs(goal, nowMs) / STEP_MS) * STEP_MS);
  if (goal.targetMinutes === null) return null;
  return <GoalRing targetMinutes={goal.targetMinutes} focusMs={focusMs} size={RING_PX} />;
}

/** The first task of another learner that is not done, unless it is yesterday's. */
export function OthersTask({ goal }: { readonly goal: VisibleGoal }) {
  const isToday = useSecond((nowMs) => nowMs < goal.dayEndsAtMs);
  const task = goal.tasks.find(({ isDone }) => !isDone);
  if (!isToday || task === undefined) return null;
  return <p className="tile-task truncate text-tiny">{task.text}</p>;
}
