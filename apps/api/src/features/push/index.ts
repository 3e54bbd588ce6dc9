export { createPhaseAlarms } from './phase-alarms.ts';
export type { PushService } from './push.service.ts';
export { createPush } from './push.ts';
