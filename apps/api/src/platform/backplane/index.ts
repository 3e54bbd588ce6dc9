export { type Backplane, createInProcessBackplane } from './backplane.ts';
export { compareInRounds, type IsDue, ROUNDS, tellOfLosses } from './lost-events.ts';
export { createRedisBackplane, serverOf } from './spread-backplane.ts';
export { refuseOtherThanStandalone } from './standalone-redis.ts';
