import { type ChangedPassword, newPasswordProblem } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { AuthService } from './auth.service.ts';
import type { SecurityMails } from './security-mails.ts';
import type { SessionEnds } from './session-ends.ts';

interface PasswordsParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly auth: AuthService;
  readonly sessionEnds: SessionEnds;
  readonly mails: SecurityMails;
  readonly clock: Clock;
}

/** Changes of passwords. */
export function createPasswords(parts: PasswordsParts) {
  const { repository, users, auth, sessionEnds, mails, clock } = parts;
  return {
    /**
     * Changes the password of the caller, which ends their other log-ins.
     * @throws ApiError `passwordsDiffer`, `weakPassword`, `commonPassword`, `passwordMissing`,
     * `wrongPassword`, `tooManyRequests` or `unavailable`.
     */
    async change(caller: Caller, change: ChangedPassword, address: string): Promise<void> {
      const problem = newPasswordProblem(change);
      if (problem) throw new ApiError(problem);
      const { passwordVersion } = await auth.checkOwnPassword(
        caller,
        change.currentPassword,
        address,
      );
      const passwordHash = await users.hashNewPassword(change.newPassword, {
        address,
        knownBrowser: { userId: caller.userId, id: caller.sessionId },
      });
      const now = clock.now();
      const ended = await repository.changePassword(caller, { passwordVersion, passwordHash }, now);
      if (ended === null) throw new ApiError('wrongPassword');
      await sessionEnds.announce(ended, now);
      mails.send(caller.userId, 'passwordChanged');
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;
