export { attendanceWith, becomesAttended } from './counting.ts';
export { createFocusRepository } from './focus.repository.ts';
export { FocusService } from './focus.service.ts';
export { createFocus, createSeatLife } from './focus.ts';
export { createIntervalLine, INTERVAL_READS_AT_ONCE } from './interval-reads.ts';
export {
  closedTouching,
  dayBegin,
  dayPieces,
  epochMs,
  learnerDay,
  msBetween,
  periodSpan,
} from './learner-days.ts';
export { findPhaseEnds } from './phase-ends.ts';
export { rebuildRecords } from './rebuild.ts';
export type { SeatLife } from './seat-life.ts';
export {
  closedFocusOn,
  createTodayRepository,
  currentDay,
  todayQuery,
  weekBefore,
} from './today.repository.ts';
export { afterFollowing } from './visit-change.ts';
export { editByLearner, editLockedVisits } from './visit-editor.ts';
export {
  countsSince,
  finalUntil,
  firstPhaseChange,
  focusingLearners,
  latestVisitBegan,
  partsUntil,
  presentStatus,
  runningIntervals,
  runningWithRecord,
  visitsOfSeats,
} from './visits.ts';
