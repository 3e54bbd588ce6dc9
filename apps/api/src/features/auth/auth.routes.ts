import { login, logout, REFRESH_TOKEN_SECONDS, refresh } from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, bearerOf, type HttpServer, isOriginAllowed } from '../../platform/http/index.ts';
import type { AuthService } from './auth.service.ts';

interface AuthRoutesOptions {
  /** The address of the site, when the operator gave one. */
  readonly publicUrl: string | undefined;
  /** Whether the product is reached over https: only then may the cookie demand it. */
  readonly isSecure: boolean;
}

export function serveAuth(http: HttpServer, auth: AuthService, options: AuthRoutesOptions): void {
  const { publicUrl, isSecure } = options;
  // With the prefix no other host of the domain can set it; a browser accepts that over https only.
  const cookieName = isSecure ? '__Host-mogakgong_refresh' : 'mogakgong_refresh';
  const cookieOptions = {
    path: isSecure ? '/' : '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  } as const;
  const setCookie = (reply: FastifyReply, refreshToken: string) =>
    reply.setCookie(cookieName, refreshToken, { ...cookieOptions, maxAge: REFRESH_TOKEN_SECONDS });

  /** @throws ApiError `forbidden` for a page of another site. */
  function cookieOf(request: FastifyRequest): string | null {
    if (!isOriginAllowed(request.headers, publicUrl)) throw new ApiError('forbidden');
    return request.cookies[cookieName] ?? null;
  }

  http.serve(login, async ({ body, request, reply }) => {
    const { accessToken, refreshToken } = await auth.logIn(body, {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    });
    setCookie(reply, refreshToken);
    return { token: accessToken };
  });

  http.serve(refresh, async ({ request, reply }) => {
    const presented = cookieOf(request);
    if (presented === null) throw new ApiError('sessionEnded');
    try {
      const { accessToken, refreshToken } = await auth.refresh(presented);
      setCookie(reply, refreshToken);
      return { token: accessToken };
    } catch (error) {
      if (error instanceof ApiError) reply.clearCookie(cookieName, cookieOptions);
      throw error;
    }
  });

  http.serve(logout, async ({ request, reply }) => {
    await auth.logOut({
      refreshToken: cookieOf(request),
      accessToken: bearerOf(request.headers.authorization),
    });
    reply.clearCookie(cookieName, cookieOptions);
    return { loggedOut: true };
  });
}
