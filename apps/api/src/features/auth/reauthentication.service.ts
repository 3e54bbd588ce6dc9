import {
  RECENT_LOGIN_SECONDS,
  type RouteInput,
  type reauthenticate,
  type UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller, type HasRecentLogIn } from '../../platform/http/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import { type AuthRepository, createAuthRepository } from './auth.repository.ts';
import type { AuthService } from './auth.service.ts';

/** Whether the owner of a log-in has shown lately who they are: not somebody at their open browser. */
export function createRecentLogIns(repository: AuthRepository, clock: Clock): HasRecentLogIn {
  return (caller) => {
    const since = new Date(clock.now().getTime() - RECENT_LOGIN_SECONDS * 1_000);
    return repository.isAuthenticatedSince(caller, since);
  };
}

/** What shows who a learner is: one of these. */
interface Proof extends Omit<RouteInput<typeof reauthenticate>['body'], 'passkey'> {
  /** Whose passkey has answered. */
  readonly passkeyOwner: UserId | undefined;
}

interface ReauthenticationParts {
  readonly repository: AuthRepository;
  readonly auth: AuthService;
  readonly secondFactor: SecondFactorService;
  readonly clock: Clock;
}

/** Learners who are logged in show again who they are (ASVS 5.0, 7.5.1). */
export function createReauthentication(parts: ReauthenticationParts) {
  const { repository, auth, secondFactor, clock } = parts;

  async function record(caller: Caller, queries = repository): Promise<void> {
    const isRecorded = await queries.recordAuthentication(caller, clock.now());
    if (!isRecorded) throw new ApiError('unauthorized');
  }

  return {
    /**
     * @throws ApiError `invalidRequest`, `unauthorized`, `passwordMissing`, `wrongPassword`,
     * `wrongCode`, `tooManyRequests` or `unavailable`.
     */
    async prove(caller: Caller, proof: Proof, address: string): Promise<void> {
      const { passkeyOwner, password, code } = proof;
      if (passkeyOwner !== undefined) {
        if (passkeyOwner !== caller.userId) throw new ApiError('passkeyRefused');
      } else if (password !== undefined) await auth.checkOwnPassword(caller, password, address);
      else if (code === undefined) throw new ApiError('invalidRequest');
      else {
        const { userId, sessionId: id } = caller;
        const origin = { address, knownBrowser: { userId, id } };
        return secondFactor.use(userId, code, origin, (transaction) =>
          record(caller, createAuthRepository(transaction)),
        );
      }
      return record(caller);
    },
  };
}

export type Reauthentication = ReturnType<typeof createReauthentication>;
