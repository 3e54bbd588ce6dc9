export { type Backplane, createInProcessBackplane } from './backplane.ts';
export { compareInRounds, type IsDue, ROUNDS } from './lost-events.ts';
export { createRedisBackplane } from './redis-backplane.ts';
