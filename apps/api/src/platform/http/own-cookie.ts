import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isOriginAllowed } from './upgrades.ts';

/** Whether the product is reached over https. */
export const isHttps = (publicUrl: string | undefined) => publicUrl?.startsWith('https:') ?? false;

/**
 * The address of the site: the operator's, or the one that the browser requested.
 * @throws ApiError `invalidRequest` where a proxy hands on what is no address.
 */
export function siteOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  const address = publicUrl ?? `${request.protocol}://${request.host}`;
  if (!URL.canParse(address)) throw new ApiError('invalidRequest');
  return new URL(address).origin;
}

export interface OwnCookie {
  readonly name: string;
  /** The path to which the browser sends it, if it can be restricted. */
  readonly path: string;
  readonly lifetimeSeconds: number;
}

/**
 * A cookie that scripts cannot read and only our own pages send.
 * @param publicUrl the address of the site, when the operator gave one.
 */
export function createOwnCookie(cookie: OwnCookie, publicUrl: string | undefined) {
  const isSecure = isHttps(publicUrl);
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
