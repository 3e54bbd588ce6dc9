import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type * as z from 'zod/mini';
import type { Clock } from '../clock/index.ts';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';
const KEY_BYTES = 32;

/** Values that a browser keeps for us but can neither read, change nor use for another purpose. */
export function createSealedValues(secret: string, clock: Clock) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'sealed values', KEY_BYTES));
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000);
  return {
    seal: (purpose: string, value: object, lifetimeSeconds: number): Promise<string> =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
        .setAudience(purpose)
        .setExpirationTime(nowSeconds() + lifetimeSeconds)
        .encrypt(key),

    /** The value, or null if it was not sealed here for this purpose, or is too old. */
    async open<T>(purpose: string, form: z.ZodMiniType<T>, sealed: string): Promise<T | null> {
      const opened = await jwtDecrypt(sealed, key, {
        audience: purpose,
        currentDate: clock.now(),
        keyManagementAlgorithms: [ALGORITHM],
        contentEncryptionAlgorithms: [ENCRYPTION],
        requiredClaims: ['exp'],
      }).catch(() => null);
      const parsed = form.safeParse(opened?.payload.value);
      return parsed.success ? parsed.data : null;
    },
  };
}
