export type { ReportedText } from './group-texts.ts';
export { createGroups, type Groups } from './groups.ts';
