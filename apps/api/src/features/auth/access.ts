import { RECENT_LOGIN_SECONDS } from '@mogakgong/contract';
import type { ProcessContext } from '../../platform/context/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { readRestoredAtMs } from '../../platform/site/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { createUsersRepository } from '../users/index.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAuthRepository } from './auth.repository.ts';
import { createSessionEnds } from './session-ends.ts';

/** Checks of access tokens, which the HTTP server is built with. */
export async function createAccess(
  { authSecrets, clock, database }: ProcessContext,
  { inForce }: SanctionsService,
) {
  const repository = createAuthRepository(database);
  const sessionEnds = createSessionEnds(clock, repository);
  await sessionEnds.learn();
  const accessTokens = createAccessTokens({
    authSecrets,
    clock,
    issuedAfterMs: await readRestoredAtMs(database),
    isSessionEnded: sessionEnds.has,
    isSuspended: (userId) => inForce.isSuspended(userId),
  });
  const callers = {
    authenticate: accessTokens.authenticate,
    /** Whether the owner of a log-in has authenticated lately: not somebody at their open browser. */
    hasRecentLogIn(caller: Caller) {
      const since = new Date(clock.now().getTime() - RECENT_LOGIN_SECONDS * 1_000);
      return repository.isAuthenticatedSince(caller, since);
    },
    findRole: createUsersRepository(database).findRole,
  };
  return { repository, sessionEnds, accessTokens, callers };
}

export type Access = Awaited<ReturnType<typeof createAccess>>;
