export { type Backplane, createInProcessBackplane } from './backplane.ts';
export { createRedisBackplane } from './redis-backplane.ts';
