import { login, logout, REFRESH_TOKEN_SECONDS, refresh } from '@mogakgong/contract';
import type { FastifyReply } from 'fastify';
import { ApiError, type HttpServer } from '../../platform/http/index.ts';
import type { AuthService } from './auth.service.ts';

const COOKIE_NAME = 'mogakgong_refresh';
const COOKIE_PATH = '/api/auth';

/** @param isSecure whether the product is reached over https: only then may the cookie demand it. */
export function serveAuth(http: HttpServer, auth: AuthService, isSecure: boolean): void {
  const cookieOptions = {
    path: COOKIE_PATH,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  } as const;
  const setCookie = (reply: FastifyReply, refreshToken: string) =>
    reply.setCookie(COOKIE_NAME, refreshToken, { ...cookieOptions, maxAge: REFRESH_TOKEN_SECONDS });

  http.serve(login, async ({ body, request, reply }) => {
    const { accessToken, refreshToken } = await auth.logIn(body, {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    });
    setCookie(reply, refreshToken);
    return { token: accessToken };
  });

  http.serve(refresh, async ({ request, reply }) => {
    const presented = request.cookies[COOKIE_NAME];
    if (presented === undefined) throw new ApiError('sessionEnded');
    try {
      const { accessToken, refreshToken } = await auth.refresh(presented);
      setCookie(reply, refreshToken);
      return { token: accessToken };
    } catch (error) {
      if (error instanceof ApiError) reply.clearCookie(COOKIE_NAME, cookieOptions);
      throw error;
    }
  });

  http.serve(logout, async ({ request, reply }) => {
    const presented = request.cookies[COOKIE_NAME];
    if (presented !== undefined) await auth.logOut(presented);
    reply.clearCookie(COOKIE_NAME, cookieOptions);
    return { loggedOut: true };
  });
}
