export { OthersGoalRing, OthersTask, OwnGoalRing } from './tile-goal.tsx';
export { type OwnGoal, useGoal } from './use-goal.ts';
