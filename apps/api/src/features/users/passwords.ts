import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash that a log-in to an unknown address is compared with, so both take the same time. */
let decoyHash: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2_OPTIONS);
}

/** Whether a password fits a stored hash; without a hash it takes as long and says no. */
export async function isPasswordRight(
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  decoyHash ??= hashPassword('no account has this password');
  const isMatch = await verify(storedHash ?? (await decoyHash), password);
  return isMatch && storedHash !== null;
}
