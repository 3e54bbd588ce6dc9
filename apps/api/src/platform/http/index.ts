export { networksOf } from './address-block.ts';
export { rowOf, sendError } from './answer-errors.ts';
export { ApiError } from './api-error.ts';
export {
  type Authenticate,
  bearerOf,
  type Caller,
  type Moderator,
  refuseRestricted,
  type TokenHolder,
} from './caller.ts';
export {
  createGuessThrottle,
  type GuessOrigin,
  type GuessThrottle,
  type KnownBrowser,
} from './guess-throttle.ts';
export { CALLS_AT_ONCE, createHttpServer, type HttpServer } from './http-server.ts';
export { jsonSlices, sendJsonSlices } from './json-slices.ts';
export { callLanguage, requestLanguage } from './language.ts';
export { createOwnCookie, type OwnCookie, siteOrigin } from './own-cookie.ts';
export { type PreparedText, prepareText, sendPrepared } from './prepared-text.ts';
export { assertNoWait, requireAllowed } from './rate-limits.ts';
export { readAtMost } from './read-at-most.ts';
export type { UnconnectedSocket } from './unconnected-sockets.ts';
export type { HoldSlot } from './upgrades.ts';
