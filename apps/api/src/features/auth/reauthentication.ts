import { RECENT_LOGIN_SECONDS, reauthenticate } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller, type HasRecentLogIn } from '../../platform/http/index.ts';
import type { CheckPasskey } from '../passkeys/index.ts';
import { type AuthRepository, createAuthRepository } from './auth.repository.ts';
import type { AuthParts } from './auth-parts.ts';
import { checkOwnPassword } from './password-checks.ts';

/** Whether the owner of a log-in has authenticated lately: not somebody at their open browser. */
export function createRecentLogIns(repository: AuthRepository, clock: Clock): HasRecentLogIn {
  return (caller) => {
    const since = new Date(clock.now().getTime() - RECENT_LOGIN_SECONDS * 1_000);
    return repository.isAuthenticatedSince(caller, since);
  };
}

/** Logged-in learners authenticate again (ASVS 5.0, 7.5.1). */
export function serveReauthentication(parts: AuthParts, checkPasskey: CheckPasskey): void {
  const { http, repository, secondFactor, clock } = parts;

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
    } else if (password !== undefined) await checkOwnPassword(parts, caller, password, address);
    else if (code === undefined) throw new ApiError('invalidRequest');
    else {
      const origin = { address, knownBrowser: { userId, id } };
      return secondFactor.use(userId, code, origin, (transaction) =>
        record(caller, createAuthRepository(transaction)),
      );
    }
    return record(caller);
  });
}
