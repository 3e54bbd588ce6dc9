import { finishLogin, HOUR_MS, logInByPasskey, login, logout, refresh } from '@mogakgong/contract';
import { ApiError, bearerOf } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { AuthParts, AuthUses } from './auth-parts.ts';
import { serveEmailChanges } from './email-changes.ts';
import { createLogInCookies, type IssuedTokens } from './log-in-cookies.ts';
import { serveLoginSessions } from './login-sessions.ts';
import { createNewLogIns, type NewLogIns } from './new-log-ins.ts';
import { checkPassword } from './password-checks.ts';
import { servePasswords } from './passwords.ts';
import { serveReauthentication } from './reauthentication.ts';
import { createRefreshTokens, hashToken, refreshExpiry, sessionOf } from './refresh-tokens.ts';

/** Log-ins, passwords and changes of e-mail addresses. @returns the parts that other ways to log in use. */
export function createAuth(context: AppContext, uses: AuthUses) {
  const { authSecrets, jobs, clock } = context;
  const logInCookies = createLogInCookies(context);
  const refreshTokens = createRefreshTokens(authSecrets);
  const parts: AuthParts = { ...context, ...uses, refreshTokens, logInCookies };
  const newLogIns = createNewLogIns(parts);
  serveLogIns(parts, newLogIns);
  serveReauthentication(parts);
  servePasswords(parts);
  serveEmailChanges(parts);
  serveLoginSessions(parts);
  const deleteExpired = () => uses.repository.deleteExpired(clock.now());
  jobs.add({ name: 'expired log-ins', everyMs: HOUR_MS, runs: 'site', run: deleteExpired });
  return { newLogIns, logInCookies };
}

/** Log-in by a password or a passkey, its second factor, refresh and log-out. */
function serveLogIns(parts: AuthParts, newLogIns: NewLogIns): void {
  const { http, repository, checkPasskey } = parts;
  const { accessTokens, refreshTokens, sessionEnds, logInCookies } = parts;
  const { answerLogin, answerTokens, originOf, firstFactor, refresh: cookie } = logInCookies;

  http.serve(login, async ({ body, request, reply }) => {
    const isEmpty = body.email.trim() === '' || body.password === '';
    if (isEmpty) throw new ApiError('loginFieldsMissing');
    const origin = originOf(request);
    const { address, browserToken } = origin;
    const knownBrowser = await repository.findKnownBrowser(body.email, browserToken);
    const checked = await checkPassword(parts, body, { address, knownBrowser });
    if (checked === null) throw new ApiError('wrongCredentials');
    const { userId, passwordVersion } = checked;
    return answerLogin(reply, await newLogIns.beginLogIn(userId, origin, passwordVersion));
  });

  http.serve(finishLogin, async ({ body, request, reply }) => {
    const first = await firstFactor.read(request);
    if (!first) throw new ApiError('loginExpired');
    const tokens = await newLogIns.finishLogIn(first, body.code, originOf(request));
    firstFactor.clear(reply);
    return answerTokens(reply, tokens);
  });

  http.serve(logInByPasskey, async ({ body, request, reply }) => {
    const userId = await checkPasskey(body.passkey, request, reply);
    // The authenticator has asked for a second factor itself: a fingerprint, a face or a PIN.
    return answerTokens(reply, await newLogIns.logInAs(userId, originOf(request)));
  });

  http.serve(refresh, async ({ request, reply }) => {
    const presented = cookie.read(request);
    if (presented === null) throw new ApiError('sessionEnded');
    const tokens = await exchange(parts, newLogIns, presented);
    if (tokens) return answerTokens(reply, tokens);
    cookie.clear(reply);
    throw new ApiError('sessionEnded');
  });

  http.serve(logout, async ({ request, reply }) => {
    const presented = cookie.read(request);
    const bearer = bearerOf(request.headers.authorization);
    // An invalid token changes nothing.
    const holder = bearer ? await accessTokens.authenticate(bearer).catch(() => null) : null;
    const sessionIds = new Set([
      presented && refreshTokens.issuedFor(presented),
      holder?.sessionId,
    ]);
    for (const sessionId of sessionIds) if (sessionId) await sessionEnds.end({ sessionId });
    cookie.clear(reply);
    return { loggedOut: true };
  });
}

/**
 * Exchanges a refresh token; null for one that cannot be. One that was replaced before is held by two
 * parties, one of which stole it: the whole log-in ends. One that was never issued ends nothing.
 */
async function exchange(
  { repository, refreshTokens, sessionEnds, clock, logger }: AuthParts,
  newLogIns: NewLogIns,
  presented: string,
): Promise<IssuedTokens | null> {
  const sessionId = sessionOf(presented);
  if (sessionId === null) return null;
  const now = clock.now();
  const refreshToken = refreshTokens.create(sessionId);
  const userId = await repository.rotate({
    sessionId,
    oldHash: hashToken(presented),
    newHash: hashToken(refreshToken),
    now,
    expiresAt: refreshExpiry(now),
  });
  if (userId !== null) {
    return { accessToken: await newLogIns.createAccessToken({ userId, sessionId }), refreshToken };
  }
  const wasIssued = refreshTokens.issuedFor(presented) !== null;
  if (wasIssued && (await sessionEnds.end({ sessionId }))) {
    logger.warn('a replaced refresh token was used: log-in ended');
  }
  return null;
}
