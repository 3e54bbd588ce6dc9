import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isOriginAllowed } from './upgrades.ts';

/** The site as browsers reach it. */
export interface OwnCookieOptions {
  /** The address of the site, when the operator gave one. */
  readonly publicUrl: string | undefined;
  /** Whether the product is reached over https: only then may a cookie be `Secure`. */
  readonly isSecure: boolean;
}

/** The address of the site: the operator's, or the one that the browser requested. */
export function siteOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  return new URL(publicUrl ?? `${request.protocol}://${request.host}`).origin;
}

export interface OwnCookie {
  readonly name: string;
  /** The path to which the browser sends it, if it can be restricted. */
  readonly path: string;
  readonly lifetimeSeconds: number;
}

/** A cookie that scripts cannot read and only our own pages send. */
export function createOwnCookie(cookie: OwnCookie, { publicUrl, isSecure }: OwnCookieOptions) {
  // With the prefix no other host of the domain can set it; browsers accept that over https only, and for
  // every path.
  const name = isSecure ? `__Host-${cookie.name}` : cookie.name;
  const attributes = {
    path: isSecure ? '/' : cookie.path,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  } as const;
  return {
    name,
    set: (reply: FastifyReply, value: string) =>
      void reply.setCookie(name, value, { ...attributes, maxAge: cookie.lifetimeSeconds }),
    clear: (reply: FastifyReply) => void reply.clearCookie(name, attributes),
    /** @throws ApiError `forbidden` for a page of another site. */
    read(request: FastifyRequest): string | null {
      if (!isOriginAllowed(request.headers, publicUrl)) throw new ApiError('forbidden');
      return request.cookies[name] ?? null;
    },
  };
}
