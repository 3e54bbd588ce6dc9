import * as z from 'zod/mini';
import { NamedAccount } from './audit.ts';
import { DecisionReason, PersonSanction } from './cases.ts';
import { moderationRate } from './limits.ts';
import { route } from './route.ts';
import { SANCTIONS_SHOWN, SanctionId } from './sanctions.ts';

/** A sanction under review, at its learner's request. */
export const Appeal = z.object({
  ...PersonSanction.shape,
  person: NamedAccount,
  /** The caller decided it, and there is another moderator: the other one answers. */
  isOwnDecision: z.boolean(),
  /** The caller reported the person in that case, and there is another moderator. */
  isReporter: z.boolean(),
});
export type Appeal = z.infer<typeof Appeal>;

export const getAppeals = route({
  method: 'GET',
  path: '/api/moderation/appeals',
  summary: `The ${SANCTIONS_SHOWN} appeals that have waited longest for an answer`,
  access: 'moderator',
  reply: z.object({ appeals: z.array(Appeal) }),
  errors: ['unauthorized', 'moderatorsOnly'],
  limit: moderationRate,
});

const ofSanction = z.object({ sanctionId: SanctionId });
const sanctionErrors = [
  'unauthorized',
  'moderatorsOnly',
  'sanctionNotFound',
  'caseNeedsAdmin',
] as const;

export const answerAppeal = route({
  method: 'POST',
  path: '/api/moderation/appeals/:sanctionId',
  summary: 'Answers an appeal: the sanction stays, or is lifted',
  access: 'moderator',
  params: ofSanction,
  body: z.object({ outcome: z.enum(['upheld', 'lifted']), answer: DecisionReason }),
  reply: z.object({ appeals: z.array(Appeal) }),
  errors: [...sanctionErrors, 'appealOfOwnDecision', 'caseOfReporter', 'appealAnswered'],
  limit: moderationRate,
});

export const liftSanction = route({
  method: 'POST',
  path: '/api/moderation/sanctions/:sanctionId/lift',
  summary: 'Ends a sanction early, such as an automatic one',
  access: 'moderator',
  params: ofSanction,
  reply: z.object({ sanctions: z.array(PersonSanction) }),
  errors: sanctionErrors,
  limit: moderationRate,
});
