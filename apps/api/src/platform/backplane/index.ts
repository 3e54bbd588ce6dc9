export type { Backplane } from './backplane.ts';
export { createInProcessBackplane } from './in-process-backplane.ts';
export { createRedisBackplane } from './redis-backplane.ts';
