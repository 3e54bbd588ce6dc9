export { type Access, createAccess } from './access.ts';
export { createAccessTokens } from './access-tokens.ts';
export { createAuth } from './auth.ts';
export type { LogInCookies } from './log-in-cookies.ts';
export { createMailedLinks } from './mailed-links.ts';
export type { NewLogIns } from './new-log-ins.ts';
export { endLogInsOf, issueResetLink } from './operator-commands.ts';
export { createSecurityMails } from './security-mails.ts';
export type { SessionEnds } from './session-ends.ts';
