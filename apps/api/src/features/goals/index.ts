export { createGoalsRepository } from './goals.repository.ts';
export { serveGoals } from './goals.routes.ts';
export { createGoalsService, type GoalsService } from './goals.service.ts';
