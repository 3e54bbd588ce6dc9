import { randomUUID } from 'node:crypto';
import type { UserId } from '@mogakgong/contract';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { AuthParts } from './auth-parts.ts';
import { newBrowserToken } from './known-browsers.ts';
import type { FirstFactor, IssuedTokens, LoginOrigin, LoginOutcome } from './log-in-cookies.ts';
import { hashToken, refreshExpiry } from './refresh-tokens.ts';

const USER_AGENT_MAX_LENGTH = 300;

/**
 * A token says whether the account is restricted: no request asks the database for that. That it is
 * suspended is for its reader only.
 */
async function createAccessToken(
  { users, accessTokens, sanctions }: AuthParts,
  { userId, sessionId }: Caller,
  transaction?: Database,
): Promise<string> {
  const restriction = sanctions.inForce.isSuspended(userId)
    ? 'suspended'
    : await users.findRestriction(userId, transaction);
  return accessTokens.create({ userId, sessionId, ...(restriction && { restriction }) });
}

/** How log-ins begin, by a password, a provider, a passkey or a second factor. */
export function createNewLogIns(parts: AuthParts) {
  const { repository, refreshTokens, secondFactor, mails, sessionEnds, clock } = parts;

  /**
   * Stores a log-in of an authenticated learner.
   * @param transaction in which it is stored, if it is not alone.
   * @throws ApiError `wrongCredentials` if the password has changed since.
   */
  async function storeLogIn(
    { userId, passwordVersion }: FirstFactor,
    { userAgent, browserToken }: LoginOrigin,
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
    const ended = { sessionIds: await queries.endSurplusSessions(userId, now), at: now };
    const accessToken = await createAccessToken(parts, { userId, sessionId }, transaction);
    return { tokens: { accessToken, refreshToken, browserToken: ownToken }, isNewBrowser, ended };
  }

  /** Begins a log-in that is stored. */
  async function begin(
    userId: UserId,
    { userAgent }: LoginOrigin,
    { tokens, isNewBrowser, ended }: Awaited<ReturnType<typeof storeLogIn>>,
  ): Promise<IssuedTokens> {
    await sessionEnds.announce(ended.sessionIds, ended.at);
    if (isNewBrowser) mails.send(userId, 'newBrowser', userAgent);
    return tokens;
  }

  /** Begins a log-in that needs no further factor. */
  const logInAs = async (userId: UserId, origin: LoginOrigin) =>
    begin(userId, origin, await storeLogIn({ userId, passwordVersion: null }, origin));

  return {
    createAccessToken: (caller: Caller) => createAccessToken(parts, caller),
    logInAs,

    /**
     * Logs in a learner after one factor, unless their account asks for a second one.
     * @param passwordVersion of the password, if it was by one.
     * @throws ApiError `wrongCredentials` if the password has changed since.
     */
    async beginLogIn(
      userId: UserId,
      origin: LoginOrigin,
      passwordVersion: string | null = null,
    ): Promise<LoginOutcome> {
      const first = { userId, passwordVersion };
      const stored = await secondFactor.whileOff(userId, (transaction) =>
        storeLogIn(first, origin, transaction),
      );
      return stored === null ? first : begin(userId, origin, stored);
    },

    /**
     * Finishes a log-in that needs a second factor.
     * @throws ApiError `wrongCode`, `wrongCredentials` or `tooManyRequests`.
     */
    async finishLogIn(
      first: FirstFactor,
      code: string,
      origin: LoginOrigin,
    ): Promise<IssuedTokens> {
      const { userId } = first;
      const { address, browserToken } = origin;
      const knownBrowser = await repository.findKnownBrowser(userId, browserToken);
      const guess = { address, knownBrowser };
      const stored = await secondFactor.use(userId, code, guess, (transaction) =>
        storeLogIn(first, origin, transaction),
      );
      return begin(userId, origin, stored);
    },
  };
}

export type NewLogIns = ReturnType<typeof createNewLogIns>;
