import { reauthenticate } from '@mogakgong/contract';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { AuthParts } from './auth-parts.ts';
import { checkOwnPassword } from './password-checks.ts';

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
      // An open browser often keeps the password, too.
      if (await secondFactor.isOn(userId)) throw new ApiError('secondFactorNeeded');
      await checkOwnPassword(parts, caller, password, address);
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
