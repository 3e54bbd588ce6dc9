import * as z from 'zod/mini';
import { PASSWORD_MAX_LENGTH } from './limits.ts';
import { PasskeyProof } from './passkeys.ts';
import { route } from './route.ts';
import { SecondFactorCode } from './second-factor.ts';

export const reauthenticate = route({
  method: 'POST',
  path: '/api/auth/reauthenticate',
  summary: 'Re-authenticates the caller: routes that need a recent log-in then answer again',
  access: 'login',
  openTo: ['consents', 'suspended'],
  /** One of them. */
  body: z.object({
    password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH))),
    code: z.optional(SecondFactorCode),
    passkey: z.optional(PasskeyProof),
  }),
  reply: z.object({ authenticated: z.boolean() }),
  errors: [
    'unauthorized',
    'wrongPassword',
    'passwordMissing',
    'secondFactorNeeded',
    'wrongCode',
    'passkeyRefused',
    'forbidden',
  ],
});
