import type { IncomingMessage } from 'node:http';
import type { Language } from '@mogakgong/contract';
import { bearerOf, requestLanguage } from '../http/index.ts';
import type { Admission } from './admissions.ts';

/** What is known of a client before its CONNECT. */
export interface Handshake {
  /** A token given in the query or the Authorization header (specification §7), or null. */
  readonly token: string | null;
  readonly language: Language;
  readonly admission: Admission;
}

export function readHandshake(request: IncomingMessage, admission: Admission): Handshake {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return {
    token: searchParams.get('access_token') ?? bearerOf(request.headers.authorization),
    language: requestLanguage(request.headers),
    admission,
  };
}

/**
 * Whether a page of `Origin` may open the connection: our own pages may, whatever name they were
 * reached by; programs that are no browser send no Origin.
 */
export function isOriginAllowed(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return (
    from.host === host || (publicUrl !== undefined && from.origin === new URL(publicUrl).origin)
  );
}
