import { ACCESS_TOKEN_SECONDS, type Restriction, UserId } from '@mogakgong/contract';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../platform/clock/index.ts';
import type { AuthSecrets } from '../../platform/env/index.ts';
import { ApiError, type Caller, type TokenHolder } from '../../platform/http/index.ts';
import { createTokenKeys } from '../../platform/sealed-values/index.ts';

const ISSUER = 'mogakgong';
const AUDIENCE = 'mogakgong-api';
const ALGORITHM = 'HS256';
/** A token is not checked again for a moment after a check. */
const CACHE_SIZE = 10_000;

interface AccessTokenParts {
  readonly authSecrets: AuthSecrets;
  readonly clock: Clock;
  /** Tokens from before are refused: the database was restored since. */
  readonly issuedAfterMs?: number;
  /** Whether the log-in of a token was ended before the token expires. */
  readonly isSessionEnded: (sessionId: string) => boolean;
  /** Whether an account is suspended now. */
  readonly isSuspended: (userId: UserId) => boolean;
}

/** The claims that count: a suspension begins and ends whatever a token says. */
const isLasting = (claim: unknown): claim is Restriction =>
  claim === 'leaving' || claim === 'consents';

/**
 * Makes and checks access tokens: JWT with the `userId` claim, valid 15 minutes. The claim `only` says
 * that the account was restricted when the token was issued.
 */
export function createAccessTokens(parts: AccessTokenParts) {
  const { authSecrets, clock, isSessionEnded, isSuspended, issuedAfterMs = 0 } = parts;
  const keys = createTokenKeys(authSecrets, (secret) => new TextEncoder().encode(secret));
  const cache = new Map<string, TokenHolder>();

  async function verify(token: string): Promise<TokenHolder> {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'sid', 'userId'],
      currentDate: clock.now(),
    });
    if (Number(payload.iat) * 1_000 < issuedAfterMs) throw new Error('from before a restore');
    return {
      userId: UserId.parse(payload.userId),
      sessionId: String(payload.sid),
      expiresAtMs: Number(payload.exp) * 1_000,
      ...(isLasting(payload.only) && { restriction: payload.only }),
    };
  }

  function remember(token: string, verified: TokenHolder): void {
    const [oldest] = cache.keys();
    if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
    cache.set(token, verified);
  }

  return {
    async create({ userId, sessionId, restriction }: Caller): Promise<string> {
      const issuedAtSeconds = Math.floor(clock.now().getTime() / 1_000);
      return new SignJWT({ userId, sid: sessionId, ...(restriction && { only: restriction }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: keys.kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(String(userId))
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + ACCESS_TOKEN_SECONDS)
        .sign(keys.first);
    },

    /** @throws ApiError `unauthorized` for anything but a valid token of a log-in that stands. */
    async authenticate(token: string): Promise<TokenHolder> {
      let verified = cache.get(token);
      if (!verified) {
        verified = await verify(token).catch((cause: unknown) => {
          throw new ApiError('unauthorized', { cause });
        });
        remember(token, verified);
      }
      const isOver =
        verified.expiresAtMs <= clock.now().getTime() || isSessionEnded(verified.sessionId);
      if (isOver) {
        cache.delete(token);
        throw new ApiError('unauthorized');
      }
      return isSuspended(verified.userId) ? { ...verified, restriction: 'suspended' } : verified;
    },
  };
}
