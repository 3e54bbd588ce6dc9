export { onAccessTokenStored, readAccessToken, storeAccessToken } from './access-token.ts';
export {
  ApiError,
  asRefusal,
  isPassing,
  messageOf,
  type Refusal,
  shownErrorText,
  tableText,
} from './api-error.ts';
export {
  call,
  onLogInNotRecent,
  renewAccessToken,
  replaceAccessToken,
  underRefreshLock,
} from './call.ts';
export type { Loaded } from './use-loaded.ts';
