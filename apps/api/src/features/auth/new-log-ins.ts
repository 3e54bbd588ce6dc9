import { randomUUID } from 'node:crypto';
import { SECOND_FACTOR_SECONDS, UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { SealedValues } from '../../platform/sealed-values/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type AuthRepository, createAuthRepository } from './auth.repository.ts';
import { newBrowserToken } from './known-browsers.ts';
import { hashToken, type RefreshTokens, refreshExpiry } from './refresh-tokens.ts';
import type { SecurityMails } from './security-mails.ts';

const USER_AGENT_MAX_LENGTH = 300;

/** The pair a client holds while it is logged in. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Goes into an HttpOnly cookie only. */
  readonly refreshToken: string;
  /** For the cookie by which the browser is recognised. Of a new log-in only. */
  readonly browserToken?: string;
}

/** Where a log-in comes from. */
export interface LoginOrigin {
  readonly address: string;
  readonly userAgent: string;
  /** By which its browser is recognised; null for one that has no such cookie yet. */
  readonly browserToken: string | null;
}

/** What a right password, or a provider, leads to. */
export type LoginOutcome =
  | { readonly kind: 'login'; readonly tokens: IssuedTokens }
  /** A second factor is needed: the browser keeps this until then. */
  | { readonly kind: 'secondFactor'; readonly sealed: string };

/** A log-in that waits for its second factor; good for nothing else. */
const FirstFactor = z.object({ userId: UserId, passwordVersion: z.nullable(z.string()) });
const FIRST_FACTOR = 'first factor';

interface NewLogInsParts {
  readonly users: UsersService;
  readonly repository: AuthRepository;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly isSuspended: (userId: UserId) => boolean;
  readonly secondFactor: SecondFactorService;
  readonly sealedValues: SealedValues;
  readonly mails: SecurityMails;
  readonly clock: Clock;
}

/**
 * A token says whether the account is restricted: no request asks the database for that. That it is
 * suspended is for its reader only.
 */
async function createAccessToken(
  { users, accessTokens, isSuspended }: NewLogInsParts,
  { userId, sessionId }: Caller,
  transaction?: Database,
): Promise<string> {
  const restriction = isSuspended(userId)
    ? 'suspended'
    : await users.findRestriction(userId, transaction);
  return accessTokens.create({ userId, sessionId, ...(restriction && { restriction }) });
}

/** How log-ins begin, whatever the learner has shown: a password, a provider, a second factor. */
export function createNewLogIns(parts: NewLogInsParts) {
  const { repository, refreshTokens, secondFactor, sealedValues, mails, clock } = parts;

  /**
   * Stores a log-in of a learner who has shown who they are.
   * @param transaction in which it is stored, if it is not alone.
   * @throws ApiError `wrongCredentials` if the password has changed since.
   */
  async function storeLogIn(
    { userId, passwordVersion }: z.infer<typeof FirstFactor>,
    { userAgent, browserToken = null }: LoginOrigin,
    transaction?: Database,
  ) {
    const queries = transaction ? createAuthRepository(transaction) : repository;
    const now = clock.now();
    const sessionId = randomUUID();
    const refreshToken = refreshTokens.create(sessionId);
    const isStored = await queries.insertSession({
      sessionId,
      userId,
      passwordVersion,
      userAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
      tokenHash: hashToken(refreshToken),
      now,
      expiresAt: refreshExpiry(now),
    });
    if (!isStored) throw new ApiError('wrongCredentials');
    const ownToken = browserToken ?? newBrowserToken();
    const browser = { userId, sessionId, tokenHash: hashToken(ownToken), now };
    const isNewBrowser = await queries.recordBrowser(browser);
    const accessToken = await createAccessToken(parts, { userId, sessionId }, transaction);
    return { tokens: { accessToken, refreshToken, browserToken: ownToken }, isNewBrowser };
  }

  /** Begins a log-in once `storing` has stored it. */
  async function begin(
    userId: UserId,
    { userAgent }: LoginOrigin,
    storing: ReturnType<typeof storeLogIn>,
  ): Promise<IssuedTokens> {
    const { tokens, isNewBrowser } = await storing;
    if (isNewBrowser) mails.send(userId, 'newBrowser', userAgent);
    return tokens;
  }

  /**
   * Begins a log-in of a learner who has shown who they are.
   * @param passwordVersion of the password, if it was by one.
   * @throws ApiError `wrongCredentials` if the password has changed since.
   */
  const logInAs = (userId: UserId, origin: LoginOrigin, passwordVersion: string | null = null) =>
    begin(userId, origin, storeLogIn({ userId, passwordVersion }, origin));

  /** Logs in a learner who has shown one factor, unless their account asks for a second one. */
  async function beginLogIn(
    userId: UserId,
    origin: LoginOrigin,
    passwordVersion: string | null = null,
  ): Promise<LoginOutcome> {
    if (!(await secondFactor.isOn(userId))) {
      return { kind: 'login', tokens: await logInAs(userId, origin, passwordVersion) };
    }
    const first: z.infer<typeof FirstFactor> = { userId, passwordVersion };
    const sealed = await sealedValues.seal(FIRST_FACTOR, first, SECOND_FACTOR_SECONDS);
    return { kind: 'secondFactor', sealed };
  }

  return {
    createAccessToken: (caller: Caller) => createAccessToken(parts, caller),
    logInAs,
    beginLogIn,

    /**
     * Finishes a log-in that needs a second factor.
     * @param sealed what `beginLogIn` gave the browser.
     * @throws ApiError `loginExpired`, `wrongCode`, `wrongCredentials` or `tooManyRequests`.
     */
    async finishLogIn(sealed: string, code: string, origin: LoginOrigin): Promise<IssuedTokens> {
      const first = await sealedValues.open(FIRST_FACTOR, FirstFactor, sealed);
      if (!first) throw new ApiError('loginExpired');
      const { address, browserToken } = origin;
      const knownBrowser = await repository.findKnownBrowser(first.userId, browserToken);
      const storing = secondFactor.use(
        first.userId,
        code,
        { address, knownBrowser },
        (transaction) => storeLogIn(first, origin, transaction),
      );
      return begin(first.userId, origin, storing);
    },
  };
}

export type NewLogIns = ReturnType<typeof createNewLogIns>;
