import * as z from 'zod/mini';
import { AccessToken } from './accounts.ts';
import { MINUTE_MS } from './durations.ts';
import { type RateLimit, settingsRate } from './limits.ts';
import { route } from './route.ts';
import { Uuid } from './uuid.ts';

/** Maximum number of passkeys of one account. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX_LENGTH = 40;

const passkeyLoginRate: RateLimit = {
  name: 'passkeyLogin',
  max: 30,
  windowMs: MINUTE_MS,
  per: 'address',
};

const Base64Url = z.string().check(z.maxLength(10_000), z.regex(/^[\w-]*$/));
const CredentialId = z.string().check(z.maxLength(1_400), z.regex(/^[\w-]+$/));

/** Fields common to both responses of an authenticator (WebAuthn Level 3, §5.1). */
const credentialFields = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
};

/** A new passkey: `RegistrationResponseJSON`. */
const NewPasskey = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** A signature by a passkey: `AuthenticationResponseJSON`. */
export const PasskeyProof = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: z.optional(Base64Url),
  }),
});
export type PasskeyProof = z.infer<typeof PasskeyProof>;

/** Options for the authenticator, as WebAuthn describes them. */
const AuthenticatorOptions = z.object({ options: z.unknown() });

const PasskeyName = z.string().check(z.minLength(1), z.maxLength(PASSKEY_NAME_MAX_LENGTH));

const Passkey = z.object({
  passkeyId: Uuid,
  name: z.string(),
  createdAtMs: z.number(),
  lastUsedAtMs: z.nullable(z.number()),
});
export type Passkey = z.infer<typeof Passkey>;

/** Oldest first. */
const Passkeys = z.object({ passkeys: z.array(Passkey) });
export type Passkeys = z.infer<typeof Passkeys>;

export const getPasskeys = route({
  method: 'GET',
  path: '/api/user/passkeys',
  summary: "The caller's passkeys",
  access: 'login',
  // The reply lists the ways in which the caller can re-authenticate.
  openTo: ['consents', 'suspended'],
  reply: Passkeys,
  errors: ['unauthorized'],
});

export const beginPasskey = route({
  method: 'POST',
  path: '/api/user/passkeys/options',
  summary:
    'Options for an authenticator to create a passkey; the challenge is valid for five minutes',
  access: 'login',
  recentLogIn: true,
  reply: AuthenticatorOptions,
  errors: ['unauthorized', 'loginNotRecent', 'tooManyPasskeys'],
  limit: settingsRate,
});

export const addPasskey = route({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'Adds a passkey, with which one can then log in',
  access: 'login',
  recentLogIn: true,
  body: z.object({ passkey: NewPasskey, name: PasskeyName }),
  reply: Passkeys,
  errors: [
    'unauthorized',
    'loginNotRecent',
    'forbidden',
    'passkeyRefused',
    'passkeyExists',
    'tooManyPasskeys',
  ],
  limit: settingsRate,
});

export const renamePasskey = route({
  method: 'PATCH',
  path: '/api/user/passkeys/:passkeyId',
  summary: 'Renames a passkey of the caller',
  access: 'login',
  params: z.object({ passkeyId: Uuid }),
  body: z.object({ name: PasskeyName }),
  reply: Passkeys,
  errors: ['unauthorized', 'passkeyNotFound'],
  limit: settingsRate,
});

export const removePasskey = route({
  method: 'DELETE',
  path: '/api/user/passkeys/:passkeyId',
  summary: 'Removes a passkey of the caller: it no longer logs in',
  access: 'login',
  recentLogIn: true,
  params: z.object({ passkeyId: Uuid }),
  reply: Passkeys,
  errors: ['unauthorized', 'loginNotRecent'],
  limit: settingsRate,
});

export const beginPasskeyLogin = route({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary:
    'Options for an authenticator to log in by a passkey; the challenge is valid for five minutes',
  access: 'open',
  reply: AuthenticatorOptions,
  errors: [],
  limit: passkeyLoginRate,
});

export const logInByPasskey = route({
  method: 'POST',
  path: '/api/auth/passkey',
  summary: 'Logs in by a passkey, which counts as both factors',
  access: 'open',
  body: z.object({ passkey: PasskeyProof }),
  reply: AccessToken,
  errors: ['passkeyRefused', 'forbidden'],
  limit: passkeyLoginRate,
});
