import {
  finishSocialSignup,
  getSocialSignup,
  SocialProvider,
  type SocialSignupPayload,
  socialSignupProblem,
  type UserId,
} from '@mogakgong/contract';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { brokenUniqueName } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { SealedCookies } from '../../platform/sealed-values/index.ts';
import type { LogInCookies, NewLogIns, SessionEnds } from '../auth/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import type { UsersService } from '../users/index.ts';
import { identityOfLearner, type SocialLoginRepository } from './social-login.repository.ts';

/** The dependencies of social log-ins, beside the context. */
export interface SocialLoginUses {
  readonly users: UsersService;
  readonly newLogIns: NewLogIns;
  readonly logInCookies: LogInCookies;
  readonly sessionEnds: SessionEnds;
  readonly secondFactor: Pick<SecondFactorService, 'lacksCode'>;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: 'socialLoginLinked' | 'socialLoginUnlinked') => void;
}

export interface SocialLoginParts extends AppContext, SocialLoginUses {
  readonly sealedCookies: SealedCookies;
}

/** How long a new person may take for the form. */
const SIGNUP_SECONDS = 30 * 60;

/** A person without an account, known only to their browser until they agree to the terms. */
export const Newcomer = z.object({
  identity: z.object({
    provider: SocialProvider,
    realm: z.string(),
    subject: z.string(),
    email: z.nullable(z.string()),
  }),
  isEmailVerified: z.boolean(),
  nickname: z.string(),
});
export type Newcomer = z.infer<typeof Newcomer>;

/** The cookie of a newcomer. */
export const newcomerCookie = ({ sealedCookies }: SocialLoginParts) =>
  sealedCookies(
    { name: 'mogakgong_signup', path: '/api/auth', lifetimeSeconds: SIGNUP_SECONDS },
    Newcomer,
  );

/**
 * Creates the account of a newcomer. It gets the e-mail only if the provider has verified it and nobody
 * has it: a social log-in never opens an account that somebody made with the e-mail before.
 * @throws ApiError `socialLoginTaken`, `accountSuspended` where the same proven e-mail has an account that
 * is suspended, or the first broken rule of the form.
 */
async function signUp(
  { users, sanctions, clock }: SocialLoginParts,
  repository: SocialLoginRepository,
  { identity, isEmailVerified }: Newcomer,
  payload: SocialSignupPayload,
): Promise<UserId> {
  const problem = socialSignupProblem(payload);
  if (problem) throw new ApiError(problem);
  if ((await repository.findUser(identity)) !== null) throw new ApiError('socialLoginTaken');
  const email = isEmailVerified ? identity.email : null;
  const owner = email === null ? null : await repository.findProvenOwner(email);
  const isSuspended = owner !== null && sanctions.inForce.isSuspended(owner);
  if (isSuspended) throw new ApiError('accountSuspended');
  const profile = { ...payload, email, socialProvider: identity.provider.toUpperCase() };
  return users
    .signUpWithoutPassword(profile, identityOfLearner(identity, clock.now()))
    .catch((cause: unknown) => {
      const isTaken = brokenUniqueName(cause) === 'social_identity_pkey';
      throw isTaken ? new ApiError('socialLoginTaken', { cause }) : cause;
    });
}

/** The rest of the sign-up of a new person. */
export function serveNewcomers(parts: SocialLoginParts, repository: SocialLoginRepository): void {
  const { http, newLogIns, logInCookies } = parts;
  const cookie = newcomerCookie(parts);

  async function read(request: FastifyRequest): Promise<Newcomer> {
    const newcomer = await cookie.read(request);
    if (!newcomer) throw new ApiError('socialSignupExpired');
    return newcomer;
  }

  http.serve(getSocialSignup, async ({ request }) => {
    const { identity, nickname } = await read(request);
    return { provider: identity.provider, email: identity.email, nickname };
  });

  http.serve(finishSocialSignup, async ({ body, request, reply }) => {
    const userId = await signUp(parts, repository, await read(request), body);
    const tokens = await newLogIns.logInAs(userId, logInCookies.originOf(request));
    cookie.clear(reply);
    return logInCookies.answerTokens(reply, tokens);
  });
}
