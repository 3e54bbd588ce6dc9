import * as z from 'zod/mini';
import { Consents } from './accounts.ts';
import { HOUR_MS } from './durations.ts';
import { settingsRate } from './limits.ts';
import { route } from './route.ts';

export const exportOwnData = route({
  method: 'GET',
  path: '/api/user/export',
  summary: 'Everything that is stored about the caller, as a zip file of JSON and CSV',
  access: 'login',
  recentLogIn: true,
  openTo: ['consents', 'suspended'],
  reply: z.file(),
  replyType: 'application/zip',
  errors: ['unauthorized', 'loginNotRecent', 'userNotFound'],
  limit: { name: 'dataExport', max: 3, windowMs: HOUR_MS, per: 'user' },
});

/** After how many days an account is deleted: its owner chooses, and can cancel until then. */
export const deletionDelaysDays = [0, 7, 30] as const;

const PrivacyState = z.object({
  /** When the account is deleted; null for one that stays. */
  deletesAtMs: z.nullable(z.number()),
  /** The latest consent to each text. */
  consents: z.array(
    z.object({
      name: z.enum(['age', 'terms', 'privacy']),
      version: z.string(),
      acceptedAtMs: z.number(),
    }),
  ),
});
export type PrivacyState = z.infer<typeof PrivacyState>;

export const getPrivacyState = route({
  method: 'GET',
  path: '/api/user/privacy',
  summary: "The caller's consents and planned deletion, also while the deletion is planned",
  access: 'login',
  openTo: ['leaving', 'consents', 'suspended'],
  reply: PrivacyState,
  errors: ['unauthorized', 'userNotFound'],
});

export const giveConsents = route({
  method: 'POST',
  path: '/api/user/consents',
  summary:
    'Agrees to the present version of every text; a refresh then gives a token without restriction',
  access: 'login',
  openTo: ['consents'],
  body: z.object({ consents: Consents }),
  reply: z.object({ agreed: z.boolean() }),
  errors: ['unauthorized', 'consentsMissing', 'userNotFound'],
  limit: settingsRate,
});

export const requestDeletion = route({
  method: 'POST',
  path: '/api/user/deletion',
  summary:
    "Plans the deletion of the caller's account and ends all its log-ins; asking again changes nothing",
  access: 'login',
  recentLogIn: true,
  openTo: ['consents', 'suspended'],
  body: z.object({ delayDays: z.literal(deletionDelaysDays) }),
  reply: z.object({ deletesAtMs: z.number() }),
  errors: ['unauthorized', 'loginNotRecent', 'userNotFound'],
  limit: settingsRate,
});

export const cancelDeletion = route({
  method: 'DELETE',
  path: '/api/user/deletion',
  summary: "Cancels the planned deletion of the caller's account",
  access: 'login',
  openTo: ['leaving', 'suspended'],
  reply: z.object({ cancelled: z.boolean() }),
  errors: ['unauthorized', 'deletionBegun'],
  limit: settingsRate,
});
