import * as z from 'zod/mini';
import { settingsRate } from './limits.ts';
import { route } from './route.ts';
import { SocialProvider } from './social-provider.ts';

const Provider = z.object({ provider: SocialProvider });

const SocialLogins = z.object({
  logins: z.array(z.object({ provider: SocialProvider, email: z.nullable(z.string()) })),
  /** Whether the account also has a password. */
  hasPassword: z.boolean(),
});
export type SocialLogins = z.output<typeof SocialLogins>;

export const getSocialLogins = route({
  method: 'GET',
  path: '/api/user/social-logins',
  summary: "The social log-ins that are linked to the caller's account",
  access: 'login',
  // The reply lists the ways in which the caller can re-authenticate.
  openTo: ['consents', 'suspended'],
  reply: SocialLogins,
  errors: ['unauthorized'],
});

export const linkSocialLogin = route({
  method: 'POST',
  path: '/api/user/social-logins/:provider',
  summary: 'Begins to link a social log-in: answers the address of the provider to go to',
  access: 'login',
  recentLogIn: true,
  params: Provider,
  reply: z.object({ url: z.string() }),
  errors: ['unauthorized', 'loginNotRecent', 'socialProviderMissing', 'socialLoginElsewhere'],
  limit: settingsRate,
});

export const unlinkSocialLogin = route({
  method: 'DELETE',
  path: '/api/user/social-logins/:provider',
  summary: 'Unlinks a social log-in, unless it is the last way to log in',
  access: 'login',
  recentLogIn: true,
  params: Provider,
  reply: SocialLogins,
  errors: ['unauthorized', 'loginNotRecent', 'lastLogin'],
  limit: settingsRate,
});
