import * as z from 'zod/mini';
import { passwordProblem } from './accounts.ts';
import { HOUR_MS } from './durations.ts';
import type { PageErrorName } from './errors.ts';
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH, settingsRate } from './limits.ts';
import { route } from './route.ts';
import { SecondFactorCode } from './second-factor.ts';

const Password = z.string().check(z.maxLength(PASSWORD_MAX_LENGTH));

const NewPassword = z.object({ newPassword: Password, confirmNewPassword: Password });
export type NewPassword = z.infer<typeof NewPassword>;

/** The first rule that a new password and its repetition break, or null (specification §5). */
export function newPasswordProblem(given: NewPassword): PageErrorName | null {
  if (given.newPassword !== given.confirmNewPassword) return 'newPasswordsDiffer';
  return passwordProblem(given.newPassword);
}

const ChangedPassword = z.extend(NewPassword, { currentPassword: Password });
export type ChangedPassword = z.infer<typeof ChangedPassword>;

export const changePassword = route({
  method: 'PATCH',
  path: '/api/user/profile/password',
  summary: "Changes the caller's password and ends their other log-ins",
  access: 'login',
  body: ChangedPassword,
  reply: z.object({ changed: z._default(z.boolean(), true) }),
  errors: [
    'unauthorized',
    // Where log-ins need a code.
    'loginNotRecent',
    'newPasswordsDiffer',
    'weakPassword',
    'commonPassword',
    'wrongPassword',
    'passwordMissing',
  ],
  limit: settingsRate,
});

export const requestPasswordReset = route({
  method: 'POST',
  path: '/api/auth/password-reset',
  summary: 'Mails a link for a new password; answers the same where there is no such account',
  access: 'open',
  body: z.object({ email: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)) }),
  reply: z.object({
    /** Whether mails are delivered; otherwise they wait in the operator's outbox. */
    isMailed: z.boolean(),
  }),
  errors: ['emailMissing', 'emailMalformed'],
  limit: { name: 'passwordReset', max: 5, windowMs: HOUR_MS, per: 'address', networkMax: 100 },
});

const FinishedPasswordReset = z.extend(NewPassword, {
  token: z.string().check(z.maxLength(100)),
  /** The code of an account with a second factor. */
  code: z.optional(SecondFactorCode),
});
export type FinishedPasswordReset = z.infer<typeof FinishedPasswordReset>;

export const finishPasswordReset = route({
  method: 'POST',
  path: '/api/auth/password-reset/finish',
  summary: 'Sets a new password by the token of a mailed link, once, and ends every log-in',
  access: 'open',
  body: FinishedPasswordReset,
  reply: z.object({ changed: z.boolean() }),
  errors: [
    'newPasswordsDiffer',
    'weakPassword',
    'commonPassword',
    'resetLinkEnded',
    'secondFactorNeeded',
    'wrongCode',
  ],
  limit: { name: 'newPassword', max: 20, windowMs: HOUR_MS, per: 'address' },
});
