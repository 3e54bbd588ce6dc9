import * as z from 'zod/mini';
import { AccessToken } from './accounts.ts';
import { settingsRate } from './limits.ts';
import { route } from './route.ts';

/** A code of an authenticator app (RFC 6238: six digits), or a recovery code. */
export const SecondFactorCode = z.string().check(z.maxLength(40));

const SecondFactor = z.object({
  /** Whether log-ins ask for a code. */
  isOn: z.boolean(),
  recoveryCodesLeft: z.number(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** Shown once: only their hashes are stored. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const getSecondFactor = route({
  method: 'GET',
  path: '/api/user/second-factor',
  summary: "Whether the caller's log-ins ask for a code, and how many recovery codes are left",
  access: 'login',
  // The reply lists the ways in which the caller can re-authenticate.
  openTo: ['consents', 'suspended'],
  reply: SecondFactor,
  errors: ['unauthorized'],
});

export const beginSecondFactor = route({
  method: 'POST',
  path: '/api/user/second-factor',
  summary: 'Makes a secret for an authenticator app; on only when a code of it was confirmed',
  access: 'login',
  recentLogIn: true,
  reply: z.object({
    /** In base32, for typing into an app. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
  errors: ['unauthorized', 'loginNotRecent', 'emailUnproven', 'secondFactorExists'],
  limit: settingsRate,
});

export const confirmSecondFactor = route({
  method: 'POST',
  path: '/api/user/second-factor/confirm',
  summary: 'Turns the second factor on by a code of the app; answers the recovery codes, once',
  access: 'login',
  recentLogIn: true,
  body: z.object({ code: SecondFactorCode }),
  reply: RecoveryCodes,
  errors: [
    'unauthorized',
    'loginNotRecent',
    'wrongCode',
    'secondFactorExists',
    'secondFactorMissing',
  ],
});

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes',
  summary: 'Replaces all recovery codes; answers the new ones, once',
  access: 'login',
  recentLogIn: true,
  reply: RecoveryCodes,
  errors: ['unauthorized', 'loginNotRecent', 'secondFactorMissing'],
  limit: settingsRate,
});

export const turnOffSecondFactor = route({
  method: 'DELETE',
  path: '/api/user/second-factor',
  summary: 'Turns the second factor off, and forgets its secret and recovery codes',
  access: 'login',
  recentLogIn: true,
  reply: SecondFactor,
  errors: ['unauthorized', 'loginNotRecent'],
  limit: settingsRate,
});

export const finishLogin = route({
  method: 'POST',
  path: '/api/auth/second-factor',
  summary:
    'Finishes the log-in that this browser has begun, by a code of the app or a recovery code',
  access: 'open',
  body: z.object({ code: SecondFactorCode }),
  reply: AccessToken,
  errors: ['loginExpired', 'wrongCode', 'wrongCredentials', 'forbidden'],
});
