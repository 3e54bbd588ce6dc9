import {
  finishLogin,
  KNOWN_BROWSER_SECONDS,
  logInByPasskey,
  login,
  logout,
  REFRESH_TOKEN_SECONDS,
  type RouteReply,
  refresh,
  SECOND_FACTOR_SECONDS,
} from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  bearerOf,
  createOwnCookie,
  type HttpServer,
  type OwnCookieOptions,
} from '../../platform/http/index.ts';
import type { CheckPasskey } from '../passkeys/index.ts';
import type { AuthService } from './auth.service.ts';
import type { IssuedTokens, LoginOrigin, LoginOutcome, NewLogIns } from './new-log-ins.ts';

/** The cookie that keeps a browser logged in. */
const refreshCookie = {
  name: 'mogakgong_refresh',
  path: '/api/auth',
  lifetimeSeconds: REFRESH_TOKEN_SECONDS,
};

/** A log-in that waits for its second factor, which only the browser that began it can finish. */
const firstFactorCookie = {
  name: 'mogakgong_first_factor',
  path: '/api/auth',
  lifetimeSeconds: SECOND_FACTOR_SECONDS,
};

/** Answers a finished log-in: the refresh token into its cookie, the access token into the body. */
export function answerTokens(
  reply: FastifyReply,
  { accessToken, refreshToken, browserToken }: IssuedTokens,
  options: OwnCookieOptions,
): { token: string } {
  createOwnCookie(refreshCookie, options).set(reply, refreshToken);
  if (browserToken !== undefined) keepBrowser(reply, browserToken, options);
  return { token: accessToken };
}

/** Answers one factor of a log-in: the tokens, or the question for the second factor. */
export function answerLogin(
  reply: FastifyReply,
  outcome: LoginOutcome,
  options: OwnCookieOptions,
): RouteReply<typeof login> {
  if (outcome.kind === 'login') return answerTokens(reply, outcome.tokens, options);
  createOwnCookie(firstFactorCookie, options).set(reply, outcome.sealed);
  return { needsSecondFactor: true };
}

/** Recognises the browser of a learner; it opens nothing. */
const browserCookie = {
  name: 'mogakgong_browser',
  path: '/api',
  lifetimeSeconds: KNOWN_BROWSER_SECONDS,
};

/** Gives a browser the cookie by which it is recognised. */
export function keepBrowser(reply: FastifyReply, token: string, options: OwnCookieOptions): void {
  createOwnCookie(browserCookie, options).set(reply, token);
}

/** Where a request to log in comes from. */
export function loginOriginOf(
  { ip, headers, cookies }: FastifyRequest,
  options: OwnCookieOptions,
): LoginOrigin {
  return {
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    browserToken: cookies[createOwnCookie(browserCookie, options).name] ?? null,
  };
}

interface AuthRoutesParts extends OwnCookieOptions {
  readonly checkPasskey: CheckPasskey;
  readonly auth: AuthService;
  readonly newLogIns: NewLogIns;
}

export function serveAuth(http: HttpServer, parts: AuthRoutesParts): void {
  const { auth, newLogIns, checkPasskey, ...options } = parts;
  const cookie = createOwnCookie(refreshCookie, options);

  http.serve(login, async ({ body, request, reply }) => {
    return answerLogin(reply, await auth.logIn(body, loginOriginOf(request, options)), options);
  });

  http.serve(finishLogin, async ({ body, request, reply }) => {
    const firstFactor = createOwnCookie(firstFactorCookie, options);
    const sealed = firstFactor.read(request) ?? '';
    const tokens = await newLogIns.finishLogIn(sealed, body.code, loginOriginOf(request, options));
    firstFactor.clear(reply);
    return answerTokens(reply, tokens, options);
  });

  http.serve(logInByPasskey, async ({ body, request, reply }) => {
    const userId = await checkPasskey(body.passkey, request, reply);
    // The authenticator has asked for a second factor itself: a fingerprint, a face or a PIN.
    const tokens = await newLogIns.logInAs(userId, loginOriginOf(request, options));
    return answerTokens(reply, tokens, options);
  });

  http.serve(refresh, async ({ request, reply }) => {
    const presented = cookie.read(request);
    if (presented === null) throw new ApiError('sessionEnded');
    try {
      return answerTokens(reply, await auth.refresh(presented), options);
    } catch (error) {
      if (error instanceof ApiError) cookie.clear(reply);
      throw error;
    }
  });

  http.serve(logout, async ({ request, reply }) => {
    await auth.logOut({
      refreshToken: cookie.read(request),
      accessToken: bearerOf(request.headers.authorization),
    });
    cookie.clear(reply);
    return { loggedOut: true };
  });
}
