import * as z from 'zod/mini';
import { AccessToken, nicknameProblem, normalizeNickname, SignupPayload } from './accounts.ts';
import { MINUTE_MS } from './durations.ts';
import type { PageErrorName } from './errors.ts';
import { consentNames } from './legal-versions.ts';
import { signupRate } from './limits.ts';
import { route } from './route.ts';
import { SocialProvider } from './social-provider.ts';

/** A full-page GET that redirects to the provider (specification §2, §7). */
export const SOCIAL_AUTHORIZATION_PATH = '/oauth2/authorization/:provider';

/** A path of this site, never one that a browser reads as another host. */
export const NextPath = z.string().check(z.maxLength(200), z.regex(/^\/(?![/\\])[!-~]*$/));

const Provider = z.object({ provider: SocialProvider });

export const getSocialProviders = route({
  method: 'GET',
  path: '/api/oauth/providers',
  summary: 'The social log-in providers of this site',
  access: 'open',
  reply: z.object({
    providers: z.array(
      z.object({
        provider: SocialProvider,
        /** Whether a development double on this machine answers for the provider. */
        isDouble: z.boolean(),
      }),
    ),
  }),
  errors: [],
});

export const finishSocialLogin = route({
  method: 'GET',
  path: '/api/oauth/:provider/callback',
  summary: 'Handles the provider’s answer: logs in, begins a sign-up, or links',
  access: 'open',
  params: Provider,
  query: z.object({
    code: z.string().check(z.maxLength(2_000)),
    /** The state that we sent; Naver's documentation requires it, the specification does not. */
    state: z._default(z.string().check(z.maxLength(200)), ''),
    iss: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({
    /** The access token of an existing account; a new person gets one on finishing the sign-up. */
    token: z.optional(z.string()),
    /** As in the reply of a log-in by password. */
    needsSecondFactor: z.optional(z.literal(true)),
    /** Whether there is no account yet: `finishSocialSignup` creates it. */
    isNew: z._default(z.boolean(), false),
    /** Whether the log-in was linked to the account that asked for it. */
    isLinked: z._default(z.boolean(), false),
    /** The page that the person wanted to open; without one /main (specification §2). */
    next: z._default(z.string(), '/main'),
  }),
  errors: [
    'socialProviderMissing',
    'socialLoginExpired',
    'socialLoginFailed',
    'socialLoginTaken',
    'socialLoginExists',
  ],
  limit: { name: 'socialLogin', max: 30, windowMs: MINUTE_MS, per: 'address' },
});

export const getSocialSignup = route({
  method: 'GET',
  path: '/api/auth/social-signup',
  summary: 'The social sign-up that this browser has begun',
  access: 'open',
  reply: z.object({
    provider: SocialProvider,
    email: z.nullable(z.string()),
    /** The person's name at the provider; may break our rules for names. */
    nickname: z.string(),
  }),
  errors: ['socialSignupExpired', 'forbidden'],
});

const SocialSignupPayload = z.pick(SignupPayload, {
  nickname: true,
  introduction: true,
  profileImage: true,
  consents: true,
});
export type SocialSignupPayload = z.output<typeof SocialSignupPayload>;

export const finishSocialSignup = route({
  method: 'POST',
  path: '/api/auth/social-signup',
  summary: 'Creates the account of a new person, who has agreed to the terms, and logs in',
  access: 'open',
  body: SocialSignupPayload,
  reply: AccessToken,
  errors: [
    'socialSignupExpired',
    'forbidden',
    'signupFieldsMissing',
    'consentsMissing',
    'nicknameMalformed',
    'nicknameTaken',
    'socialLoginTaken',
    'accountSuspended',
  ],
  limit: signupRate,
});

/** The first rule that the sign-up of a new person breaks, or null, in the order of the form. */
export function socialSignupProblem({
  nickname,
  consents,
}: Pick<SocialSignupPayload, 'nickname' | 'consents'>): PageErrorName | null {
  const normalized = normalizeNickname(nickname);
  if (normalized === '') return 'signupFieldsMissing';
  if (!consentNames.every((name) => consents[name])) return 'consentsMissing';
  return nicknameProblem(normalized);
}
