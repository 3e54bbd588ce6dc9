import {
  type finishSocialLogin,
  NextPath,
  type RouteInput,
  type SocialLogins,
  SocialProvider,
  type SocialSignupPayload,
  socialSignupProblem,
  UserId,
} from '@mogakgong/contract';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { SealedValues } from '../../platform/sealed-values/index.ts';
import type { IssuedTokens, LoginOrigin, LoginOutcome, NewLogIns } from '../auth/index.ts';
import type { UsersService } from '../users/index.ts';
import type { ProviderClient } from './provider-client.ts';
import {
  identityOfLearner,
  type SocialIdentity,
  type SocialLoginRepository,
} from './social-login.repository.ts';

/** How long a person may take at the provider. */
export const FLOW_SECONDS = 10 * 60;
/** How long a new person may take for the form. */
export const SIGNUP_SECONDS = 30 * 60;

/** A log-in that is under way: kept, sealed, by the browser that began it. */
const Flow = z.object({
  provider: SocialProvider,
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  redirectUri: z.string(),
  next: NextPath,
  /** The log-in that asked to link, if one did. */
  linksTo: z.nullable(z.object({ userId: UserId, sessionId: z.string() })),
});
type Flow = z.infer<typeof Flow>;

/** A person without an account, whom only their browser knows until they agree to the terms. */
const Newcomer = z.object({
  identity: z.object({
    provider: SocialProvider,
    realm: z.string(),
    subject: z.string(),
    email: z.nullable(z.string()),
  }),
  isEmailVerified: z.boolean(),
  nickname: z.string(),
});

/** What the provider added to the redirect URI. */
type ProviderAnswer = RouteInput<typeof finishSocialLogin>['query'];

/** What a finished log-in turns out to be. */
type Outcome =
  | LoginOutcome
  | { readonly kind: 'newcomer'; readonly sealed: string }
  | { readonly kind: 'link' };

export type SocialLoginChange = 'socialLoginLinked' | 'socialLoginUnlinked';

interface SocialLoginParts {
  readonly clients: ReadonlyMap<SocialProvider, ProviderClient>;
  readonly repository: SocialLoginRepository;
  readonly users: UsersService;
  readonly newLogIns: NewLogIns;
  readonly sealedValues: SealedValues;
  readonly isSessionEnded: (sessionId: string) => boolean;
  readonly isSuspended: (userId: UserId) => boolean;
  readonly clock: Clock;
  readonly onChanged: (userId: UserId, change: SocialLoginChange) => void;
}

/** Log-in, sign-up and linking through providers. */
export class SocialLoginService {
  readonly #parts: SocialLoginParts;

  constructor(parts: SocialLoginParts) {
    this.#parts = parts;
  }

  /** The providers that are configured. */
  listProviders() {
    const { clients } = this.#parts;
    return [...clients].map(([provider, { isDouble }]) => ({ provider, isDouble }));
  }

  /**
   * Begins a log-in, or the linking of one.
   * @returns where the browser goes, and what it keeps until it comes back.
   * @throws ApiError `socialProviderMissing`.
   */
  async begin(start: Omit<Flow, 'secrets'>): Promise<{ url: string; sealed: string }> {
    const { url, secrets } = await this.#clientOf(start.provider).begin(start.redirectUri);
    const flow: Flow = { ...start, secrets };
    return { url, sealed: await this.#parts.sealedValues.seal('flow', flow, FLOW_SECONDS) };
  }

  /**
   * The log-in of this browser that an answer belongs to.
   * @throws ApiError `socialLoginExpired`.
   */
  async resume(state: string, sealed: string): Promise<Flow> {
    const flow = await this.#parts.sealedValues.open('flow', Flow, sealed);
    if (flow?.secrets.state !== state) throw new ApiError('socialLoginExpired');
    return flow;
  }

  /** @throws ApiError `socialLoginFailed`, or why the log-in cannot be linked. */
  async finish(flow: Flow, answer: ProviderAnswer, origin: LoginOrigin): Promise<Outcome> {
    const { repository, newLogIns, sealedValues } = this.#parts;
    const { provider, linksTo, secrets } = flow;
    const client = this.#clientOf(provider);
    const person = await client
      .finish(answerAddress(flow, answer), secrets)
      .catch((cause: unknown) => {
        throw new ApiError('socialLoginFailed', { cause });
      });
    const { subject, email, isEmailVerified, nickname } = person;
    const identity = { provider, realm: client.realm, subject, email };
    if (linksTo !== null) {
      await this.#link(linksTo, identity);
      return { kind: 'link' };
    }
    const userId = await repository.findUser(identity);
    if (userId !== null) return newLogIns.beginLogIn(userId, origin);
    const newcomer: z.infer<typeof Newcomer> = { identity, isEmailVerified, nickname };
    const sealed = await sealedValues.seal('newcomer', newcomer, SIGNUP_SECONDS);
    return { kind: 'newcomer', sealed };
  }

  /** @throws ApiError `socialSignupExpired`. */
  async findNewcomer(sealed: string) {
    const newcomer = await this.#parts.sealedValues.open('newcomer', Newcomer, sealed);
    if (!newcomer) throw new ApiError('socialSignupExpired');
    return newcomer;
  }

  /**
   * Creates the account of a newcomer and logs in. The account gets the e-mail only if the provider
   * has verified it and nobody has it: it never opens an account that somebody made with it before.
   * @throws ApiError `socialSignupExpired`, `socialLoginTaken`, `accountSuspended` where the same proven
   * e-mail has an account that is suspended, or the first broken rule of the form.
   */
  async signUp(
    sealed: string,
    payload: SocialSignupPayload,
    origin: LoginOrigin,
  ): Promise<IssuedTokens> {
    const { repository, users, newLogIns, isSuspended, clock } = this.#parts;
    const { identity, isEmailVerified } = await this.findNewcomer(sealed);
    const problem = socialSignupProblem(payload);
    if (problem) throw new ApiError(problem);
    if ((await repository.findUser(identity)) !== null) throw new ApiError('socialLoginTaken');
    const { provider } = identity;
    const email = isEmailVerified ? identity.email : null;
    const owner = email === null ? null : await repository.findProvenOwner(email);
    if (owner !== null && isSuspended(owner)) throw new ApiError('accountSuspended');
    const profile = {
      ...payload,
      email,
      socialProvider: provider.toUpperCase(),
    };
    const userId = await users
      .signUpWithoutPassword(profile, identityOfLearner(identity, clock.now()))
      .catch((cause: unknown) => {
        const isTaken = brokenUniqueName(cause) === 'social_identity_pkey';
        throw isTaken ? new ApiError('socialLoginTaken', { cause }) : cause;
      });
    return newLogIns.logInAs(userId, origin);
  }

  /** The social log-ins that are linked to an account. */
  async listLinked(userId: UserId): Promise<SocialLogins> {
    const logins = await this.#parts.repository.findIdentities(userId);
    return { logins, hasPassword: await this.#hasPassword(userId) };
  }

  /** @throws ApiError `lastLogin`. */
  async unlink(userId: UserId, provider: SocialProvider): Promise<SocialLogins> {
    const { repository, onChanged } = this.#parts;
    const keepLast = !(await this.#hasPassword(userId));
    const isUnlinked = await repository.unlink(userId, provider, keepLast);
    if (isUnlinked) onChanged(userId, 'socialLoginUnlinked');
    const left = await this.listLinked(userId);
    if (left.logins.some((login) => login.provider === provider)) throw new ApiError('lastLogin');
    return left;
  }

  /** Links an identity to the learner whose log-in asked for it. */
  async #link(caller: Caller, identity: SocialIdentity): Promise<void> {
    const { repository, isSessionEnded, clock, onChanged } = this.#parts;
    const { owner, isNew } = await repository.link(caller, identity, clock.now());
    if (isNew) onChanged(caller.userId, 'socialLoginLinked');
    if (owner === caller.userId) return;
    if (owner !== null) throw new ApiError('socialLoginTaken');
    throw new ApiError(
      isSessionEnded(caller.sessionId) ? 'socialLoginExpired' : 'socialLoginExists',
    );
  }

  #clientOf(provider: SocialProvider): ProviderClient {
    const client = this.#parts.clients.get(provider);
    if (!client) throw new ApiError('socialProviderMissing');
    return client;
  }

  async #hasPassword(userId: UserId): Promise<boolean> {
    return (await this.#parts.users.findPasswordEmail(userId)) !== null;
  }
}

/** The address to which the provider sent the browser. */
function answerAddress({ redirectUri }: Flow, answer: ProviderAnswer): URL {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address;
}
