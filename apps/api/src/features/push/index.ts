export { createBells } from './bells.ts';
export type { PushService } from './push.service.ts';
export { createPush } from './push.ts';
