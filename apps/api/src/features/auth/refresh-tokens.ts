import { createHash, randomBytes } from 'node:crypto';
import { REFRESH_TOKEN_SECONDS } from '@mogakgong/contract';

const REFRESH_TOKEN_BYTES = 32;

/** Only a hash of a token is stored: whoever reads the table cannot use it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A refresh token names its log-in, so that a replaced one still shows whose it was. */
export function newRefreshToken(sessionId: string): string {
  return `${sessionId}.${randomBytes(REFRESH_TOKEN_BYTES).toString('base64url')}`;
}

const REFRESH_TOKEN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.[\w-]{43}$/u;

/** The log-in that a refresh token names; null for what is none. */
export function sessionOf(refreshToken: string): string | null {
  return REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null;
}

/** When a log-in ends unless it is used again. */
export const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);
