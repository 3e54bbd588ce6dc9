export { createGoalsRepository, type ShownGoal, shownGoal } from './goals.repository.ts';
export { serveGoals } from './goals.routes.ts';
export { createGoalsService, visibleGoalOf } from './goals.service.ts';
