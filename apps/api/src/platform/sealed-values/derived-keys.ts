import { createHash, hkdfSync } from 'node:crypto';
import type { AuthSecrets } from '../env/index.ts';

const KEY_BYTES = 32;
const FINGERPRINT_LENGTH = 8;

/** Names a secret in tokens and to operators without revealing it. */
export const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_LENGTH);

/** The key of a secret for one purpose (HKDF, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));

/**
 * The keys of tokens that name theirs in the header `kid`: the first one makes tokens, `find` answers the key
 * that a token names. Tokens of earlier releases name none: they are of the first.
 */
export function createTokenKeys(authSecrets: AuthSecrets, keyOf: (secret: string) => Uint8Array) {
  const keys = new Map(authSecrets.map((secret) => [fingerprintOf(secret), keyOf(secret)]));
  const first = keyOf(authSecrets[0]);
  return {
    kid: fingerprintOf(authSecrets[0]),
    first,
    find: ({ kid = '' }: { readonly kid?: string }) => keys.get(kid) ?? first,
  };
}
