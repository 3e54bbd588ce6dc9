import { createHmac, randomBytes } from 'node:crypto';

/** The defaults of authenticator apps (RFC 6238): HMAC-SHA-1, six digits, a code each 30 s. */
const DIGITS = 6;
const STEP_SECONDS = 30;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Clocks of phones differ by a little (RFC 6238 §5.2). */
const STEPS_AROUND = [0, -1, 1] as const;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding, as authenticator apps read secrets. */
export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/gu) ?? [])
    .map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The code of a time step (RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time step of a moment. */
export const totpStep = (atMs: number): number => Math.floor(atMs / 1_000 / STEP_SECONDS);

/** The time step around a moment that has this code; null if there is none. */
export function matchingStep(secret: Uint8Array, code: string, atMs: number): number | null {
  const now = totpStep(atMs);
  const around = STEPS_AROUND.find((offset) => totpCode(secret, now + offset) === code);
  return around === undefined ? null : now + around;
}

/** The address that a QR code holds for an authenticator app. */
export function totpUri(secret: Uint8Array, account: string): string {
  const issuer = 'Mogakgong';
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${query}`;
}
