export {
  onAccessTokenStored,
  readAccessToken,
  storeAccessToken,
  TOKEN_KEY,
} from './access-token.ts';
export { ApiError, isNetworkFailure } from './api-error.ts';
export { call } from './call.ts';
