export { type CheckedClock, CLOCK_OFF_MAX_MS, createCheckedClock } from './checked-clock.ts';
export { type Clock, systemClock } from './clock.ts';
