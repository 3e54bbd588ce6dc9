export { createAccessTokens } from './access-tokens.ts';
export { createAuthRepository } from './auth.repository.ts';
export { loginOriginOf, refreshCookie, serveAuth } from './auth.routes.ts';
export {
  type AuthService,
  createAuthService,
  type IssuedTokens,
  type LoginOrigin,
} from './auth.service.ts';
export { createEndedSessions, type EndedSessions } from './ended-sessions.ts';
export { createLoginThrottle } from './login-throttle.ts';
