export { createAccessTokens } from './access-tokens.ts';
export { createAuthRepository } from './auth.repository.ts';
export { answerLogin, answerTokens, loginOriginOf, serveAuth } from './auth.routes.ts';
export { createAuthService } from './auth.service.ts';
export { serveEmailChanges } from './email-changes.routes.ts';
export { createEmailChanges } from './email-changes.service.ts';
export { createEndedSessions } from './ended-sessions.ts';
export { serveLoginSessions } from './login-sessions.routes.ts';
export { createLoginSessions } from './login-sessions.service.ts';
export { createMailedLinks } from './mailed-links.ts';
export {
  createNewLogIns,
  type IssuedTokens,
  type LoginOrigin,
  type LoginOutcome,
  type NewLogIns,
} from './new-log-ins.ts';
export { endLogInsOf, issueResetLink } from './operator-commands.ts';
export { createPasswordResets } from './password-resets.service.ts';
export { servePasswords } from './passwords.routes.ts';
export { createPasswords } from './passwords.service.ts';
export { serveReauthentication } from './reauthentication.routes.ts';
export { createReauthentication, createRecentLogIns } from './reauthentication.service.ts';
export { createRefreshTokens } from './refresh-tokens.ts';
export { createSecurityMails } from './security-mails.ts';
export { createSessionEnds, type SessionEnds } from './session-ends.ts';
