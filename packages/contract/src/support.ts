import * as z from 'zod/mini';
import { emailProblem } from './accounts.ts';
import { HOUR_MS } from './durations.ts';
import type { PageErrorName } from './errors.ts';
import { EMAIL_MAX_LENGTH } from './limits.ts';
import { route } from './route.ts';

/** Length of a question to the operator. */
export const SUPPORT_MESSAGE = { minLength: 10, maxLength: 3_000 } as const;
export const SUPPORT_DIAGNOSTICS_MAX_LENGTH = 4_000;

const SupportQuestion = z.object({
  /** The address for the answer. */
  email: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)),
  message: z.string(),
  /** The page's diagnostics of the browser, as shown to the person. */
  diagnostics: z.optional(z.string().check(z.maxLength(SUPPORT_DIAGNOSTICS_MAX_LENGTH))),
});
export type SupportQuestion = z.infer<typeof SupportQuestion>;

/** The first rule that a question breaks, or null. */
export function supportProblem(
  question: Pick<SupportQuestion, 'email' | 'message'>,
): PageErrorName | null {
  const { length } = question.message.trim();
  const isGood = length >= SUPPORT_MESSAGE.minLength && length <= SUPPORT_MESSAGE.maxLength;
  return emailProblem(question.email.trim()) ?? (isGood ? null : 'supportMessageMalformed');
}

export const askSupport = route({
  method: 'POST',
  path: '/api/support',
  summary: 'Mails a question to the operator',
  access: 'open',
  body: SupportQuestion,
  reply: z.object({
    /** Whether it was mailed; otherwise it waits in the operator's outbox. */
    isMailed: z.boolean(),
  }),
  errors: ['emailMissing', 'emailMalformed', 'supportMessageMalformed', 'supportUnavailable'],
  limit: { name: 'support', max: 5, windowMs: HOUR_MS, per: 'address', networkMax: 50 },
});
