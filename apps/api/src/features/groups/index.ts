export { createGroups, type Groups } from './groups.ts';
export type { OnReminder } from './sessions.service.ts';
