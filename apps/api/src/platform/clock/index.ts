export { type CheckedClock, createCheckedClock } from './checked-clock.ts';
export { type Clock, systemClock } from './clock.ts';
