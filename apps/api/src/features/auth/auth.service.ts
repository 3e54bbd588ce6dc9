import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { LoginThrottle } from './login-throttle.ts';

const REFRESH_TOKEN_BYTES = 32;
const USER_AGENT_MAX_LENGTH = 300;
/** Clocks of two processes may differ this much, and a commit may take this long. */
const LEARN_OVERLAP_MS = 30_000;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Where a log-in comes from. */
export interface LoginOrigin {
  readonly address: string;
  readonly userAgent: string;
}

/** The pair a client holds while it is logged in. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Goes into an HttpOnly cookie only. */
  readonly refreshToken: string;
}

interface AuthParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly accessTokens: AccessTokens;
  readonly endedSessions: EndedSessions;
  readonly throttle: LoginThrottle;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Only a hash is stored: whoever reads the table cannot log in with it. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function newRefreshToken(): string {
  return randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
}

export function createAuthService(parts: AuthParts) {
  const { repository, users, accessTokens, endedSessions, throttle, clock, logger } = parts;
  const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);

  let learntUntilMs: number | null = null;
  const listeners: ((sessionId: string) => void)[] = [];

  async function endSession(sessionId: string): Promise<void> {
    const now = clock.now();
    endedSessions.add(sessionId, now);
    await repository.endSession(sessionId, now);
    for (const listener of listeners) listener(sessionId);
  }

  return {
    /** @throws ApiError `loginFieldsMissing`, `wrongCredentials` or `tooManyRequests`. */
    async logIn({ email, password }: Credentials, origin: LoginOrigin): Promise<IssuedTokens> {
      if (email.trim() === '' || password === '') throw new ApiError('loginFieldsMissing');
      const waitMs = throttle.waitMs(email, origin.address);
      if (waitMs > 0) throw new ApiError('tooManyRequests', { retryAfterSeconds: waitMs / 1_000 });

      throttle.recordAttempt(email, origin.address);
      const userId = await users.findByPassword(email, password);
      if (userId === null) throw new ApiError('wrongCredentials');
      throttle.recordSuccess(email, origin.address);

      const now = clock.now();
      const sessionId = randomUUID();
      const refreshToken = newRefreshToken();
      await repository.insertSession({
        sessionId,
        userId,
        userAgent: origin.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
        tokenHash: hashToken(refreshToken),
        now,
        expiresAt: refreshExpiry(now),
      });
      return { accessToken: await accessTokens.create({ userId, sessionId }), refreshToken };
    },

    /**
     * Exchanges a refresh token. A stolen one ends the whole log-in as soon as both holders used it.
     * @throws ApiError `sessionEnded`.
     */
    async refresh(presented: string): Promise<IssuedTokens> {
      const now = clock.now();
      const refreshToken = newRefreshToken();
      const outcome = await repository.rotate({
        oldHash: hashToken(presented),
        newHash: hashToken(refreshToken),
        now,
        expiresAt: refreshExpiry(now),
      });
      if (outcome.kind === 'reused') {
        await endSession(outcome.sessionId);
        logger.warn(
          { sessionId: outcome.sessionId },
          'a refresh token was used twice: log-in ended',
        );
      }
      if (outcome.kind !== 'rotated') throw new ApiError('sessionEnded');
      return { accessToken: await accessTokens.create(outcome), refreshToken };
    },

    /** Ends the log-in that a refresh token belongs to; an unknown token changes nothing. */
    async logOut(presented: string): Promise<void> {
      const sessionId = await repository.findSessionOf(hashToken(presented));
      if (sessionId !== null) await endSession(sessionId);
    },

    /** Calls `listener` with every log-in that ends here, by log-out or because it was stolen. */
    onSessionEnded(listener: (sessionId: string) => void): void {
      listeners.push(listener);
    },

    /**
     * Learns from the database which log-ins ended at other processes, or while this one did not run.
     * @returns those that were not known yet.
     */
    async learnEndedSessions(): Promise<string[]> {
      const nowMs = clock.now().getTime();
      const since = learntUntilMs ?? nowMs - ACCESS_TOKEN_SECONDS * 1_000;
      const ended = await repository.findSessionsEndedSince(new Date(since));
      learntUntilMs = nowMs - LEARN_OVERLAP_MS;
      const unknown = ended.filter(({ id }) => !endedSessions.has(id));
      for (const { id, ended_at } of unknown) endedSessions.add(id, ended_at ?? clock.now());
      return unknown.map(({ id }) => id);
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
