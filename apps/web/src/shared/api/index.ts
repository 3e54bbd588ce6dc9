export {
  onAccessTokenStored,
  readAccessToken,
  storeAccessToken,
  TOKEN_KEY,
} from './access-token.ts';
export { ApiError, detailedErrorText } from './api-error.ts';
export { call } from './call.ts';
export { replaceAccessToken } from './refresh-token.ts';
export { type Loaded, useLoaded } from './use-loaded.ts';
