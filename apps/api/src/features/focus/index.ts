export { createFocusRepository } from './focus.repository.ts';
export { FocusService } from './focus.service.ts';
export { createFocus, createSeatLife } from './focus.ts';
export type { SeatLife } from './seat-life.ts';
export {
  closedFocusOn,
  createTodayRepository,
  currentDay,
  todayQuery,
  weekBefore,
} from './today.repository.ts';
