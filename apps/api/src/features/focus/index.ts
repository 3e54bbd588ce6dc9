export { createFocusRepository } from './focus.repository.ts';
export { serveFocus } from './focus.routes.ts';
export { type ClockChange, FocusService } from './focus.service.ts';
export { noteComingsAndGoings } from './signs-of-life.ts';
export {
  type BesideToday,
  closedFocusOn,
  createTodayRepository,
  currentDay,
  nothingBeside,
  todayQuery,
} from './today.repository.ts';
