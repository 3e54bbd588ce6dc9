import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { REFRESH_TOKEN_SECONDS } from '@mogakgong/contract';
import type { AuthSecrets } from '../../platform/env/index.ts';
import { deriveKey } from '../../platform/sealed-values/index.ts';

const RANDOM_BYTES = 16;
const PROOF_BYTES = 16;

/** Only a hash of a token is stored: whoever reads the table cannot use it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const REFRESH_TOKEN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/u;

/** The log-in that a refresh token names; null for what is none. Anybody can write such a token. */
export function sessionOf(refreshToken: string): string | null {
  return REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null;
}

/**
 * Refresh tokens: `<log-in>.<random><proof>`. The proof, an HMAC of the rest under a key of the first secret,
 * shows that a token was issued here, also after it was replaced: no hash of it is stored then.
 */
export function createRefreshTokens(authSecrets: AuthSecrets) {
  const keys = authSecrets.map((secret) => deriveKey(secret, 'refresh tokens'));
  const firstKey = deriveKey(authSecrets[0], 'refresh tokens');
  const proofOf = (key: Uint8Array, sessionId: string, random: Uint8Array) =>
    createHmac('sha256', key).update(sessionId).update(random).digest().subarray(0, PROOF_BYTES);

  return {
    create(sessionId: string): string {
      const random = randomBytes(RANDOM_BYTES);
      const secret = Buffer.concat([random, proofOf(firstKey, sessionId, random)]);
      return `${sessionId}.${secret.toString('base64url')}`;
    },

    /** The log-in that a refresh token was issued for; null for one that was invented. */
    issuedFor(refreshToken: string): string | null {
      const [, sessionId, encoded] = REFRESH_TOKEN.exec(refreshToken) ?? [];
      if (sessionId === undefined || encoded === undefined) return null;
      const secret = Buffer.from(encoded, 'base64url');
      const [random, proof] = [secret.subarray(0, RANDOM_BYTES), secret.subarray(RANDOM_BYTES)];
      const isOurs = keys.some((key) => timingSafeEqual(proof, proofOf(key, sessionId, random)));
      return isOurs ? sessionId : null;
    },
  };
}

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/** When a log-in ends unless it is used again. */
export const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);
