export { attendanceWith, isAttended } from './attendance.ts';
export { closedTouching, dayPieces, learnerDay, msBetween, periodSpan } from './day-pieces.ts';
export { rebuildRecords } from './rebuild.ts';
export { storeClosed } from './roll-up.ts';
export { countsSince, runningIntervals, runningWithRecord } from './running.ts';
export { recordWatch, silentMs } from './silences.ts';
export { beginVisits, endVisits } from './visits-of-seats.ts';
