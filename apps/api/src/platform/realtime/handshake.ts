import type { IncomingMessage } from 'node:http';
import type { Language } from '@mogakgong/contract';
import { type Admission, bearerOf, requestLanguage } from '../http/index.ts';

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
