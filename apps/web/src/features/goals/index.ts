export { OthersGoalRing, OthersTask, OwnGoalRing } from './tile-goal.tsx';
export { type OwnGoal, takeGoal, useGoal } from './use-goal.ts';
