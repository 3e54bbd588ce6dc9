import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { RECENT_LOGIN_SECONDS, REFRESH_TOKEN_SECONDS, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { SessionEnds } from './session-ends.ts';

const REFRESH_TOKEN_BYTES = 32;
const USER_AGENT_MAX_LENGTH = 300;

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

/** What a client that logs out holds. */
interface PresentedTokens {
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
}

interface AuthParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly accessTokens: AccessTokens;
  readonly sessionEnds: SessionEnds;
  readonly throttle: LoginThrottle;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Only a hash of a token is stored: whoever reads the table cannot use it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A refresh token names its log-in, so that a replaced one still shows whose it was. */
function newRefreshToken(sessionId: string): string {
  return `${sessionId}.${randomBytes(REFRESH_TOKEN_BYTES).toString('base64url')}`;
}

const REFRESH_TOKEN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.[\w-]{43}$/u;

function sessionOf(refreshToken: string): string | null {
  return REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null;
}

/**
 * The learner whose e-mail and password these are, or null; guessing is slowed down.
 * @throws ApiError `tooManyRequests`.
 */
async function findByCredentials(
  { users, throttle }: AuthParts,
  { email, password }: Credentials,
  address: string,
): Promise<UserId | null> {
  await throttle.recordAttempt(email, address);
  const userId = await users.findByPassword(email, password);
  if (userId !== null) await throttle.recordSuccess(email, address);
  return userId;
}

/**
 * Makes sure that the owner of an account is there, not somebody at their open browser (ASVS 5.0,
 * 7.5.1): by its password, or without one by a log-in that began lately.
 */
async function confirmOwner(
  parts: AuthParts,
  { userId, sessionId }: Caller,
  password: string,
  address: string,
): Promise<void> {
  const email = await parts.users.findPasswordEmail(userId);
  if (email === null) {
    const recently = new Date(parts.clock.now().getTime() - RECENT_LOGIN_SECONDS * 1_000);
    const isRecent = await parts.repository.hasBegunSince(sessionId, recently);
    if (!isRecent) throw new ApiError('loginNotRecent');
  } else if ((await findByCredentials(parts, { email, password }, address)) === null) {
    throw new ApiError('wrongPassword');
  }
}

export function createAuthService(parts: AuthParts) {
  const { repository, accessTokens, sessionEnds, clock, logger } = parts;
  const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);

  /** Begins a log-in of a learner who has shown who they are. */
  async function logInAs(userId: UserId, { userAgent }: LoginOrigin): Promise<IssuedTokens> {
    const now = clock.now();
    const sessionId = randomUUID();
    const refreshToken = newRefreshToken(sessionId);
    await repository.insertSession({
      sessionId,
      userId,
      userAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
      tokenHash: hashToken(refreshToken),
      now,
      expiresAt: refreshExpiry(now),
    });
    return { accessToken: await accessTokens.create({ userId, sessionId }), refreshToken };
  }

  return {
    /** @throws ApiError `loginFieldsMissing`, `wrongCredentials` or `tooManyRequests`. */
    async logIn(credentials: Credentials, origin: LoginOrigin): Promise<IssuedTokens> {
      const isEmpty = credentials.email.trim() === '' || credentials.password === '';
      if (isEmpty) throw new ApiError('loginFieldsMissing');
      const userId = await findByCredentials(parts, credentials, origin.address);
      if (userId === null) throw new ApiError('wrongCredentials');
      return logInAs(userId, origin);
    },

    logInAs,

    /** @throws ApiError `wrongPassword`, `loginNotRecent` or `tooManyRequests`. */
    confirmOwner: (caller: Caller, password: string, address: string) =>
      confirmOwner(parts, caller, password, address),

    /**
     * Exchanges a refresh token. One that was replaced before is held by two parties, one of which
     * stole it: the whole log-in ends.
     * @throws ApiError `sessionEnded`.
     */
    async refresh(presented: string): Promise<IssuedTokens> {
      const sessionId = sessionOf(presented);
      if (sessionId === null) throw new ApiError('sessionEnded');
      const now = clock.now();
      const refreshToken = newRefreshToken(sessionId);
      const userId = await repository.rotate({
        sessionId,
        oldHash: hashToken(presented),
        newHash: hashToken(refreshToken),
        now,
        expiresAt: refreshExpiry(now),
      });
      if (userId === null) {
        if (await sessionEnds.end(sessionId)) {
          logger.warn({ sessionId }, 'a replaced refresh token was used: log-in ended');
        }
        throw new ApiError('sessionEnded');
      }
      return { accessToken: await accessTokens.create({ userId, sessionId }), refreshToken };
    },

    /** Ends the log-ins that the tokens of a client belong to; what is not valid changes nothing. */
    async logOut({ refreshToken, accessToken }: PresentedTokens): Promise<void> {
      const holder =
        accessToken === null
          ? null
          : await accessTokens.authenticate(accessToken).catch(() => null);
      const sessionIds = new Set([refreshToken && sessionOf(refreshToken), holder?.sessionId]);
      for (const sessionId of sessionIds) if (sessionId) await sessionEnds.end(sessionId);
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
