export { createPrivacy } from './privacy.ts';
