import { login, logout, REFRESH_TOKEN_SECONDS, refresh } from '@mogakgong/contract';
import type { FastifyRequest } from 'fastify';
import {
  ApiError,
  bearerOf,
  createOwnCookie,
  type HttpServer,
  type OwnCookieOptions,
} from '../../platform/http/index.ts';
import type { AuthService, LoginOrigin } from './auth.service.ts';

/** The cookie that keeps a browser logged in. */
export const refreshCookie = {
  name: 'mogakgong_refresh',
  path: '/api/auth',
  lifetimeSeconds: REFRESH_TOKEN_SECONDS,
};

/** Where a request to log in comes from. */
export function loginOriginOf({ ip, headers }: FastifyRequest): LoginOrigin {
  return { address: ip, userAgent: headers['user-agent'] ?? '' };
}

export function serveAuth(http: HttpServer, auth: AuthService, options: OwnCookieOptions): void {
  const cookie = createOwnCookie(refreshCookie, options);

  http.serve(login, async ({ body, request, reply }) => {
    const { accessToken, refreshToken } = await auth.logIn(body, loginOriginOf(request));
    cookie.set(reply, refreshToken);
    return { token: accessToken };
  });

  http.serve(refresh, async ({ request, reply }) => {
    const presented = cookie.read(request);
    if (presented === null) throw new ApiError('sessionEnded');
    try {
      const { accessToken, refreshToken } = await auth.refresh(presented);
      cookie.set(reply, refreshToken);
      return { token: accessToken };
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
