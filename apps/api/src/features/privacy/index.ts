export { createPrivacy } from './privacy.ts';
export { repeatAccountChanges } from './repeated-account-changes.ts';
