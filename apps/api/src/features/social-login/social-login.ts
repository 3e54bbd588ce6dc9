import {
  finishSocialLogin,
  getSocialLogins,
  getSocialProviders,
  linkSocialLogin,
  NextPath,
  type RouteInput,
  SOCIAL_AUTHORIZATION_PATH,
  type SocialLogins,
  SocialProvider,
  UserId,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { siteUrlOf } from '../../platform/env/index.ts';
import { ApiError, type Caller, siteOrigin } from '../../platform/http/index.ts';
import { createSealedCookies } from '../../platform/sealed-values/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import {
  type Newcomer,
  newcomerCookie,
  type SocialLoginParts,
  type SocialLoginUses,
  serveNewcomers,
} from './newcomers.ts';
import { createProviderClients, type ProviderClient } from './provider-client.ts';
import {
  createSocialLoginRepository,
  type SocialIdentity,
  type SocialLoginRepository,
} from './social-login.repository.ts';

/** How long a person may take at the provider. */
const FLOW_SECONDS = 10 * 60;
/** Where a log-in without another aim leads (specification §2). */
const HOME = '/main';
/** Says why a log-in failed (specification §2). */
const FAILURE_PAGE = '/auth/failure';
/** Where log-ins are linked. */
const SETTINGS = '/settings/security';

/** A log-in that is under way, as the browser that began it keeps it. */
const Flow = z.object({
  provider: SocialProvider,
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  redirectUri: z.string(),
  next: NextPath,
  /** The log-in that asked to link, if one did. */
  linksTo: z.nullable(z.object({ userId: UserId, sessionId: z.string() })),
});
type Flow = z.infer<typeof Flow>;

type Clients = ReadonlyMap<SocialProvider, ProviderClient>;

/**
 * Log-in, sign-up and linking through providers.
 * @returns the providers that are configured.
 */
export function createSocialLogin(
  context: AppContext,
  uses: SocialLoginUses,
): readonly SocialProvider[] {
  const parts = { ...context, ...uses, sealedCookies: createSealedCookies(context) };
  const clients = createProviderClients(parts.env);
  const repository = createSocialLoginRepository(parts.database);
  serveBeginnings(parts, clients);
  serveAnswers(parts, clients, repository);
  serveNewcomers(parts, repository);
  serveLinked(parts, repository);
  const providers = [...clients].map(([provider, { isDouble }]) => ({ provider, isDouble }));
  parts.http.serve(getSocialProviders, async () => ({ providers }));
  return [...clients.keys()];
}

/**
 * The latest log-in for each provider: however many a page of another site makes a browser begin, its
 * cookies stay small.
 */
const flowCookie = ({ sealedCookies }: SocialLoginParts, provider: SocialProvider) =>
  sealedCookies(
    { name: `mogakgong_oauth_${provider}`, path: '/api/oauth', lifetimeSeconds: FLOW_SECONDS },
    Flow,
  );

/** @throws ApiError `socialProviderMissing`. */
function clientOf(clients: Clients, provider: SocialProvider): ProviderClient {
  const client = clients.get(provider);
  if (!client) throw new ApiError('socialProviderMissing');
  return client;
}

/** To the provider. */
function serveBeginnings(parts: SocialLoginParts, clients: Clients): void {
  const { http, env } = parts;
  // Providers lead back there, whatever `Host` a client names.
  const siteUrl = siteUrlOf(env);

  /** Where the browser goes; it keeps the log-in until it comes back. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    start: Pick<Flow, 'provider' | 'next' | 'linksTo'>,
  ): Promise<string> {
    // A path for each provider: what one sends is never taken for the answer of another.
    const redirectUri = new URL(`/${start.provider}/callback`, siteUrl);
    const { url, secrets } = await clientOf(clients, start.provider).begin(redirectUri.href);
    // Cookies are set for the host that is asked: the log-in could not be finished at another.
    const isElsewhere = siteOrigin(request, env.PUBLIC_URL) !== redirectUri.origin;
    if (isElsewhere) throw new ApiError('socialLoginElsewhere');
    const flow = { ...start, redirectUri: redirectUri.href, secrets };
    await flowCookie(parts, start.provider).set(reply, flow);
    return url;
  }

  http.fastify.get<{ Params: { provider: string }; Querystring: { next?: unknown } }>(
    SOCIAL_AUTHORIZATION_PATH,
    { schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      try {
        await http.consumeLimit(finishSocialLogin.limit, request);
        const { data: provider } = SocialProvider.safeParse(request.params.provider);
        if (provider === undefined) throw new ApiError('socialProviderMissing');
        const next = NextPath.safeParse(request.query.next).data ?? HOME;
        return reply.redirect(await begin(request, reply, { provider, next, linksTo: null }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // A person in front of it can read a page.
        return reply.redirect(`${FAILURE_PAGE}?${new URLSearchParams({ error: error.row })}`);
      }
    },
  );

  http.serve(linkSocialLogin, async ({ params: { provider }, caller, request, reply }) => {
    return { url: await begin(request, reply, { provider, next: SETTINGS, linksTo: caller }) };
  });
}

/** And back. */
function serveAnswers(
  parts: SocialLoginParts,
  clients: Clients,
  repository: SocialLoginRepository,
): void {
  const { http, newLogIns, logInCookies } = parts;

  http.serve(finishSocialLogin, async ({ params: { provider }, query, request, reply }) => {
    const cookie = flowCookie(parts, provider);
    const flow = await cookie.read(request);
    if (flow?.secrets.state !== query.state) throw new ApiError('socialLoginExpired');
    // A state is answered once, whatever comes of it.
    cookie.clear(reply);
    const { next, linksTo } = flow;
    const person = await identify(clientOf(clients, provider), flow, query);
    if (linksTo !== null) {
      await link(parts, repository, linksTo, person.identity);
      return { isNew: false, isLinked: true, next };
    }
    const userId = await repository.findUser(person.identity);
    if (userId === null) {
      await newcomerCookie(parts).set(reply, person);
      return { isNew: true, isLinked: false, next };
    }
    const outcome = await newLogIns.beginLogIn(userId, logInCookies.originOf(request));
    const answer = await logInCookies.answerLogin(reply, outcome);
    return { ...answer, isNew: false, isLinked: false, next };
  });
}

/** The person that the provider says has logged in. @throws ApiError `socialLoginFailed`. */
async function identify(
  client: ProviderClient,
  { provider, redirectUri, secrets }: Flow,
  answer: RouteInput<typeof finishSocialLogin>['query'],
): Promise<Newcomer> {
  // The address to which the provider sent the browser.
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  const person = await client.finish(address, secrets).catch((cause: unknown) => {
    throw new ApiError('socialLoginFailed', { cause });
  });
  const { subject, email, isEmailVerified, nickname } = person;
  const identity = { provider, realm: client.realm, subject, email };
  return { identity, isEmailVerified, nickname };
}

/**
 * Links an identity to the learner whose log-in asked for it.
 * @throws ApiError `socialLoginTaken`, `socialLoginExpired` or `socialLoginExists`.
 */
async function link(
  { sessionEnds, secondFactor, clock, onChanged }: SocialLoginParts,
  repository: SocialLoginRepository,
  caller: Caller,
  identity: SocialIdentity,
): Promise<void> {
  // It may have been turned on since the link was asked for.
  if (await secondFactor.lacksCode(caller)) throw new ApiError('socialLoginExpired');
  const { owner, isNew } = await repository.link(caller, identity, clock.now());
  if (isNew) onChanged(caller.userId, 'socialLoginLinked');
  if (owner === caller.userId) return;
  if (owner !== null) throw new ApiError('socialLoginTaken');
  const isEnded = sessionEnds.has(caller.sessionId);
  throw new ApiError(isEnded ? 'socialLoginExpired' : 'socialLoginExists');
}

/** The social log-ins that are linked to an account. */
function serveLinked(
  { http, users, onChanged }: SocialLoginParts,
  repository: SocialLoginRepository,
): void {
  const hasPassword = async (userId: UserId) => (await users.findPasswordEmail(userId)) !== null;
  const list = async (userId: UserId): Promise<SocialLogins> => ({
    logins: await repository.findIdentities(userId),
    hasPassword: await hasPassword(userId),
  });

  http.serve(getSocialLogins, ({ caller }) => list(caller.userId));

  http.serve(unlinkSocialLogin, async ({ params: { provider }, caller: { userId } }) => {
    const keepLast = !(await hasPassword(userId));
    const isUnlinked = await repository.unlink(userId, provider, keepLast);
    if (isUnlinked) onChanged(userId, 'socialLoginUnlinked');
    const left = await list(userId);
    if (left.logins.some((login) => login.provider === provider)) throw new ApiError('lastLogin');
    return left;
  });
}
