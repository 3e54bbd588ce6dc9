export { attendanceWith, isAttended } from './attendance.ts';
export { closedTouching, dayPieces, msBetween, periodSpan } from './day-pieces.ts';
export { createFocusRepository } from './focus.repository.ts';
export { serveFocus } from './focus.routes.ts';
export { type ClockChange, FocusService } from './focus.service.ts';
export { rebuildRecords } from './rebuild.ts';
export { countsSince, runningIntervals, runningWithRecord } from './running.ts';
export { noteComingsAndGoings } from './signs-of-life.ts';
export {
  type BesideToday,
  closedFocusOn,
  createTodayRepository,
  currentDay,
  nothingBeside,
  todayQuery,
} from './today.repository.ts';
export { visitsOfSeats } from './visits-of-seats.ts';
