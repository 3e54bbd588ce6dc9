import { hash, verify } from '@node-rs/argon2';
import type { GuessOrigin } from '../../platform/http/index.ts';
import { type PasswordOrigin, PasswordWork } from './password-work.ts';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of this process. */
const work = new PasswordWork();

/** The hash that a log-in to an unknown address is compared with, so both take the same time. */
let decoyHash: Promise<string> | undefined;

/** @throws ApiError `unavailable` when too many passwords wait. */
export function hashPassword(password: string, origin: PasswordOrigin): Promise<string> {
  return work.do(origin, () => hash(password, ARGON2_OPTIONS));
}

/**
 * Whether a password fits a stored hash; without a hash it takes as long and says no.
 * @throws ApiError `unavailable` when too many passwords wait.
 */
export async function isPasswordRight(
  storedHash: string | null,
  password: string,
  origin: GuessOrigin,
): Promise<boolean> {
  const isMatch = await work.do(origin, async () => {
    decoyHash ??= hash('no account has this password', ARGON2_OPTIONS);
    return verify(storedHash ?? (await decoyHash), password);
  });
  return isMatch && storedHash !== null;
}
