import * as z from 'zod/mini';
import { HOUR_MS } from './durations.ts';
import { EMAIL_MAX_LENGTH, settingsRate } from './limits.ts';
import { route } from './route.ts';

export const changeNickname = route({
  method: 'PATCH',
  path: '/api/user/profile/nickname',
  summary: "Changes the caller's nickname, by the rules of sign-up",
  access: 'login',
  body: z.object({ newNickname: z.string().check(z.maxLength(100)) }),
  /** As stored. Optional here and below: the specification does not show the answers of changes. */
  reply: z.object({ nickname: z.optional(z.string()) }),
  errors: ['unauthorized', 'nicknameMalformed', 'nicknameTaken', 'textMuted'],
  limit: settingsRate,
});

/** The new address until its owner has opened the mail there, or null. */
const pendingEmail = z.nullable(z.string());

export const changeEmail = route({
  method: 'PATCH',
  path: '/api/user/profile/email',
  summary:
    "Changes the caller's e-mail: by a link that is mailed to it; at once where no mail is sent",
  access: 'login',
  recentLogIn: true,
  body: z.object({ newEmail: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)) }),
  reply: z.object({
    /** The caller's e-mail now. */
    email: z.optional(z.string()),
    pendingEmail: z._default(pendingEmail, null),
  }),
  errors: ['unauthorized', 'loginNotRecent', 'emailMissing', 'emailMalformed', 'emailTaken'],
  limit: { name: 'emailChange', max: 10, windowMs: HOUR_MS, per: 'user' },
});

export const getEmailChange = route({
  method: 'GET',
  path: '/api/user/email-change',
  summary: 'The e-mail that the caller has asked for and not confirmed yet',
  access: 'login',
  reply: z.object({
    pendingEmail,
    /** Whether a change needs a mailed link; otherwise it applies at once. */
    isMailed: z.boolean(),
  }),
  errors: ['unauthorized'],
});

export const cancelEmailChange = route({
  method: 'DELETE',
  path: '/api/user/email-change',
  summary: 'Cancels a change of e-mail: its link no longer works',
  access: 'login',
  reply: z.object({ pendingEmail }),
  errors: ['unauthorized'],
});

export const confirmEmail = route({
  method: 'POST',
  path: '/api/auth/email-change',
  summary:
    "Makes an address the caller's e-mail by the token of the link that was mailed to it, once",
  access: 'login',
  body: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: z.object({ email: z.string() }),
  errors: ['unauthorized', 'emailLinkEnded', 'emailTaken'],
  limit: { name: 'emailConfirmation', max: 20, windowMs: HOUR_MS, per: 'address' },
});
