import { RECENT_LOGIN_SECONDS } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller, type HasRecentLogIn } from '../../platform/http/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { AuthService } from './auth.service.ts';

/** Whether the owner of a log-in has shown lately who they are: not somebody at their open browser. */
export function createRecentLogIns(repository: AuthRepository, clock: Clock): HasRecentLogIn {
  return (caller) => {
    const since = new Date(clock.now().getTime() - RECENT_LOGIN_SECONDS * 1_000);
    return repository.isAuthenticatedSince(caller, since);
  };
}

interface ReauthenticationParts {
  readonly repository: AuthRepository;
  readonly auth: AuthService;
  readonly clock: Clock;
}

/** Learners who are logged in show again who they are (ASVS 5.0, 7.5.1). */
export function createReauthentication({ repository, auth, clock }: ReauthenticationParts) {
  return {
    /** @throws ApiError `unauthorized`, `passwordMissing`, `wrongPassword` or `tooManyRequests`. */
    async byPassword(caller: Caller, password: string, address: string): Promise<void> {
      await auth.checkOwnPassword(caller.userId, password, address);
      const isRecorded = await repository.recordAuthentication(caller, clock.now());
      if (!isRecorded) throw new ApiError('unauthorized');
    },
  };
}

export type Reauthentication = ReturnType<typeof createReauthentication>;
