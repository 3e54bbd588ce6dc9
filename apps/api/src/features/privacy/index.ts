export { createPrivacy } from './privacy.ts';
export { repeatDeletions } from './repeated-deletions.ts';
