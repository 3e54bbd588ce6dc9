import { randomUUID } from 'node:crypto';
import { createAccessTokens } from '../src/features/auth/index.ts';
import { AUTH_SECRET, type Learner } from './test-app.ts';

const tokens = createAccessTokens({
  authSecrets: [AUTH_SECRET],
  clock: { now: () => new Date('2100-01-01') },
  isSessionEnded: () => false,
  isSuspended: () => false,
});

/** The learner with a token that stays valid however far the test clock moves. */
export async function withLastingLogIn(learner: Learner): Promise<Learner> {
  const token = await tokens.create({ userId: learner.userId, sessionId: randomUUID() });
  return { ...learner, token, headers: { authorization: `Bearer ${token}` } };
}
