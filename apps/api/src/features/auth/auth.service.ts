import type { Clock } from '../../platform/clock/index.ts';
import {
  ApiError,
  type Caller,
  type GuessOrigin,
  type GuessThrottle,
} from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { CheckedPassword, UsersService } from '../users/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { IssuedTokens, LoginOrigin, LoginOutcome, NewLogIns } from './new-log-ins.ts';
import { hashToken, type RefreshTokens, refreshExpiry, sessionOf } from './refresh-tokens.ts';
import type { SessionEnds } from './session-ends.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** What a client that logs out holds. */
interface PresentedTokens {
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
}

interface AuthParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly sessionEnds: SessionEnds;
  readonly throttle: GuessThrottle;
  readonly newLogIns: NewLogIns;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The password of an account, if it is right; guessing is slowed down.
 * @throws ApiError `tooManyRequests` or `unavailable`.
 */
function checkPassword(
  { users, throttle }: AuthParts,
  { email, password }: Credentials,
  origin: GuessOrigin,
): Promise<CheckedPassword | null> {
  return throttle.judge(email, origin, () => users.findByPassword(email, password, origin));
}

export function createAuthService(parts: AuthParts) {
  const { repository, accessTokens, refreshTokens, sessionEnds, newLogIns, clock, logger } = parts;

  return {
    /** @throws ApiError `loginFieldsMissing`, `wrongCredentials`, `tooManyRequests` or `unavailable`. */
    async logIn(credentials: Credentials, origin: LoginOrigin): Promise<LoginOutcome> {
      const isEmpty = credentials.email.trim() === '' || credentials.password === '';
      if (isEmpty) throw new ApiError('loginFieldsMissing');
      const { address, browserToken } = origin;
      const knownBrowser = await repository.findKnownBrowser(credentials.email, browserToken);
      const checked = await checkPassword(parts, credentials, { address, knownBrowser });
      if (checked === null) throw new ApiError('wrongCredentials');
      return newLogIns.beginLogIn(checked.userId, origin, checked.passwordVersion);
    },

    /**
     * Checks the password of a learner who is logged in; guesses count like those of a log-in.
     * @throws ApiError `passwordMissing`, `wrongPassword`, `tooManyRequests` or `unavailable`.
     */
    async checkOwnPassword(
      { userId, sessionId }: Caller,
      password: string,
      address: string,
    ): Promise<CheckedPassword> {
      const email = await parts.users.findPasswordEmail(userId);
      if (email === null) throw new ApiError('passwordMissing');
      const checked = await checkPassword(
        parts,
        { email, password },
        { address, knownBrowser: { userId, id: sessionId } },
      );
      if (checked === null) throw new ApiError('wrongPassword');
      return checked;
    },

    /**
     * Exchanges a refresh token. One that was replaced before is held by two parties, one of which
     * stole it: the whole log-in ends. One that was never issued ends nothing.
     * @throws ApiError `sessionEnded`.
     */
    async refresh(presented: string): Promise<IssuedTokens> {
      const sessionId = sessionOf(presented);
      if (sessionId === null) throw new ApiError('sessionEnded');
      const now = clock.now();
      const refreshToken = refreshTokens.create(sessionId);
      const userId = await repository.rotate({
        sessionId,
        oldHash: hashToken(presented),
        newHash: hashToken(refreshToken),
        now,
        expiresAt: refreshExpiry(now),
      });
      if (userId === null) {
        const wasIssued = refreshTokens.issuedFor(presented) !== null;
        if (wasIssued && (await sessionEnds.end(sessionId))) {
          logger.warn('a replaced refresh token was used: log-in ended');
        }
        throw new ApiError('sessionEnded');
      }
      return {
        accessToken: await newLogIns.createAccessToken({ userId, sessionId }),
        refreshToken,
      };
    },

    /** Ends the log-ins that the tokens of a client belong to; what is not valid changes nothing. */
    async logOut({ refreshToken, accessToken }: PresentedTokens): Promise<void> {
      const holder =
        accessToken === null
          ? null
          : await accessTokens.authenticate(accessToken).catch(() => null);
      const sessionIds = new Set([
        refreshToken && refreshTokens.issuedFor(refreshToken),
        holder?.sessionId,
      ]);
      for (const sessionId of sessionIds) if (sessionId) await sessionEnds.end(sessionId);
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
