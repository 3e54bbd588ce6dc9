import { reauthenticate } from '@mogakgong/contract';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { AuthParts } from './auth-parts.ts';
import { checkOwnPassword } from './password-checks.ts';

/**
 * Makes the log-ins of a learner but the caller's no longer recent: each needs a new proof. A change of e-mail that
 * one of them asked for ends.
 */
export async function outdateOthers(
  caller: Caller,
  now: Date,
  transaction: Database,
): Promise<void> {
  const repository = createAuthRepository(transaction);
  await repository.outdateOthers(caller, now);
  await repository.deleteEmailChange(caller.userId);
}

/** Logged-in learners authenticate again (ASVS 5.0, 7.5.1). */
export function serveReauthentication(parts: AuthParts): void {
  const { http, repository, secondFactor, checkPasskey, clock } = parts;

  async function record(caller: Caller, queries = repository): Promise<{ authenticated: true }> {
    const isRecorded = await queries.recordAuthentication(caller, clock.now());
    if (!isRecorded) throw new ApiError('unauthorized');
    return { authenticated: true };
  }

  http.serve(reauthenticate, async ({ caller, body, request, reply }) => {
    const { userId, sessionId: id } = caller;
    const { passkey, password, code } = body;
    const address = request.ip;
    if (passkey !== undefined) {
      const owner = await checkPasskey(passkey, request, reply);
      if (owner !== userId) throw new ApiError('passkeyRefused');
    } else if (password !== undefined) {
      await checkOwnPassword(parts, caller, password, address);
      // An open browser often keeps the password, too.
      const recorded = await secondFactor.whileOff(userId, (transaction) =>
        record(caller, createAuthRepository(transaction)),
      );
      if (recorded === null) throw new ApiError('secondFactorNeeded');
      return recorded;
    } else if (code === undefined) throw new ApiError('invalidRequest');
    else {
      const origin = { address, knownBrowser: { userId, id } };
      return secondFactor.use(userId, code, origin, (transaction) =>
        record(caller, createAuthRepository(transaction)),
      );
    }
    return record(caller);
  });
}
