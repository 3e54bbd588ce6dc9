export { createGroups, type Groups } from './groups.ts';
