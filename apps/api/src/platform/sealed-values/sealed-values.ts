import { EncryptJWT, jwtDecrypt } from 'jose';
import type * as z from 'zod/mini';
import type { Clock } from '../clock/index.ts';
import type { AuthSecrets } from '../env/index.ts';
import { createTokenKeys, deriveKey } from './derived-keys.ts';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** Values that a browser keeps for us but can neither read, change nor use for another purpose. */
export function createSealedValues(authSecrets: AuthSecrets, clock: Clock) {
  const keys = createTokenKeys(authSecrets, (secret) => deriveKey(secret, 'sealed values'));
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000);
  return {
    seal: (purpose: string, value: object, lifetimeSeconds: number): Promise<string> =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: keys.kid })
        .setAudience(purpose)
        .setExpirationTime(nowSeconds() + lifetimeSeconds)
        .encrypt(keys.first),

    /** The value, or null if it was not sealed here for this purpose, or is too old. */
    async open<T>(purpose: string, form: z.ZodMiniType<T>, sealed: string): Promise<T | null> {
      const opened = await jwtDecrypt(sealed, keys.find, {
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
