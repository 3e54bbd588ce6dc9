/** Small parts of the room's bar and tiles, downloaded together after the room. */
export { SubjectChip } from '../features/focus/subject-chip.tsx';
export { ExamSign } from '../features/goals/exam-sign.tsx';
export { OwnGoalRing } from '../features/goals/own-goal-ring.tsx';
export { OthersGoalRing, OthersTask } from '../features/goals/tile-goal.tsx';
