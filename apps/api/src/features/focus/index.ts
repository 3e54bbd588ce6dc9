export { createFocusRepository } from './focus.repository.ts';
export { serveFocus } from './focus.routes.ts';
export { FocusService } from './focus.service.ts';
export { createGoalsRepository } from './goals.repository.ts';
export { createGoalsService } from './goals.service.ts';
export { SeatLife } from './seat-life.ts';
export { createSubjectsService } from './subjects.service.ts';
export {
  closedFocusOn,
  createTodayRepository,
  currentDay,
  todayQuery,
  weekBefore,
} from './today.repository.ts';
