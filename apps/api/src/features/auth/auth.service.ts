import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { REFRESH_TOKEN_SECONDS, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { CheckedPassword, UsersService } from '../users/index.ts';
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
 * The password of an account, if it is right; guessing is slowed down.
 * @throws ApiError `tooManyRequests`.
 */
async function checkPassword(
  { users, throttle }: AuthParts,
  { email, password }: Credentials,
  address: string,
): Promise<CheckedPassword | null> {
  await throttle.recordAttempt(email, address);
  const checked = await users.findByPassword(email, password);
  if (checked !== null) await throttle.recordSuccess(email, address);
  return checked;
}

/** A token says whether the account is restricted: no request asks the database for that. */
async function createAccessToken(
  { users, accessTokens }: AuthParts,
  { userId, sessionId }: Caller,
): Promise<string> {
  const restriction = await users.findRestriction(userId);
  return accessTokens.create({ userId, sessionId, ...(restriction && { restriction }) });
}

export function createAuthService(parts: AuthParts) {
  const { repository, sessionEnds, accessTokens, clock, logger } = parts;
  const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);

  /**
   * Begins a log-in of a learner who has shown who they are.
   * @param checkedHash of the password, if it was by that.
   * @throws ApiError `wrongCredentials` if the password has changed since.
   */
  async function logInAs(
    userId: UserId,
    { userAgent }: LoginOrigin,
    checkedHash: string | null = null,
  ): Promise<IssuedTokens> {
    const now = clock.now();
    const sessionId = randomUUID();
    const refreshToken = newRefreshToken(sessionId);
    const isStored = await repository.insertSession({
      sessionId,
      userId,
      checkedHash,
      userAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
      tokenHash: hashToken(refreshToken),
      now,
      expiresAt: refreshExpiry(now),
    });
    if (!isStored) throw new ApiError('wrongCredentials');
    return { accessToken: await createAccessToken(parts, { userId, sessionId }), refreshToken };
  }

  return {
    /** @throws ApiError `loginFieldsMissing`, `wrongCredentials` or `tooManyRequests`. */
    async logIn(credentials: Credentials, origin: LoginOrigin): Promise<IssuedTokens> {
      const isEmpty = credentials.email.trim() === '' || credentials.password === '';
      if (isEmpty) throw new ApiError('loginFieldsMissing');
      const checked = await checkPassword(parts, credentials, origin.address);
      if (checked === null) throw new ApiError('wrongCredentials');
      return logInAs(checked.userId, origin, checked.passwordHash);
    },

    logInAs,

    /**
     * Checks the password of a learner who is logged in; guesses count like those of a log-in.
     * @throws ApiError `passwordMissing`, `wrongPassword` or `tooManyRequests`.
     */
    async checkOwnPassword(
      userId: UserId,
      password: string,
      address: string,
    ): Promise<CheckedPassword> {
      const email = await parts.users.findPasswordEmail(userId);
      if (email === null) throw new ApiError('passwordMissing');
      const checked = await checkPassword(parts, { email, password }, address);
      if (checked === null) throw new ApiError('wrongPassword');
      return checked;
    },

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
      return { accessToken: await createAccessToken(parts, { userId, sessionId }), refreshToken };
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
