import {
  finishSocialLogin,
  finishSocialSignup,
  getSocialLogins,
  getSocialProviders,
  getSocialSignup,
  linkSocialLogin,
  NextPath,
  SOCIAL_AUTHORIZATION_PATH,
  SocialProvider,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  type Caller,
  createOwnCookie,
  type HttpServer,
  type OwnCookieOptions,
  siteOrigin,
} from '../../platform/http/index.ts';
import { answerLogin, answerTokens, loginOriginOf } from '../auth/index.ts';
import { FLOW_SECONDS, SIGNUP_SECONDS, type SocialLoginService } from './social-login.service.ts';

/** Where people go who wanted nothing in particular (specification §2). */
const HOME = '/main';
/** Says why a log-in failed (specification §2). */
const FAILURE_PAGE = '/auth/failure';
/** Where log-ins are linked. */
const SETTINGS = '/settings#security';

interface SocialLoginRoutesParts extends OwnCookieOptions {
  /** Where the site is reached: providers lead back there, whatever `Host` a client names. */
  readonly siteUrl: string;
  readonly social: SocialLoginService;
}

export function serveSocialLogin(http: HttpServer, parts: SocialLoginRoutesParts): void {
  serveFlows(http, parts);
  serveNewcomers(http, parts);
  const { social } = parts;
  http.serve(getSocialProviders, async () => ({ providers: social.listProviders() }));
  http.serve(getSocialLogins, ({ caller }) => social.listLinked(caller.userId));
  http.serve(unlinkSocialLogin, ({ params: { provider }, caller }) =>
    social.unlink(caller.userId, provider),
  );
}

/**
 * Only the browser that began a log-in has it. The latest for each provider: however many a page of
 * another site makes a browser begin, its cookies stay small.
 */
function flowCookie(provider: SocialProvider, options: OwnCookieOptions) {
  const name = `mogakgong_oauth_${provider}`;
  return createOwnCookie({ name, path: '/api/oauth', lifetimeSeconds: FLOW_SECONDS }, options);
}

/** Until they have an account. */
function newcomerCookie(options: OwnCookieOptions) {
  const name = 'mogakgong_signup';
  return createOwnCookie({ name, path: '/api/auth', lifetimeSeconds: SIGNUP_SECONDS }, options);
}

/** To the provider and back. */
function serveFlows(http: HttpServer, parts: SocialLoginRoutesParts): void {
  const { social, siteUrl, publicUrl } = parts;

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    start: { provider: SocialProvider; next: string; linksTo: Caller | null },
  ): Promise<string> {
    // A path for each provider: what one sends is never taken for the answer of another.
    const redirectUri = new URL(`/${start.provider}/callback`, siteUrl);
    const { url, sealed } = await social.begin({ ...start, redirectUri: redirectUri.href });
    // Cookies are set for the host that is asked: the log-in could not be finished at another.
    const isElsewhere = siteOrigin(request, publicUrl) !== redirectUri.origin;
    if (isElsewhere) throw new ApiError('socialLoginElsewhere');
    flowCookie(start.provider, parts).set(reply, sealed);
    return url;
  }

  http.fastify.get<{ Params: { provider: string }; Querystring: { next?: unknown } }>(
    SOCIAL_AUTHORIZATION_PATH,
    { schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      try {
        await http.consumeLimit('socialLogin', request);
        const { data: provider } = SocialProvider.safeParse(request.params.provider);
        if (provider === undefined) throw new ApiError('socialProviderMissing');
        const next = NextPath.safeParse(request.query.next).data ?? HOME;
        return reply.redirect(await begin(request, reply, { provider, next, linksTo: null }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // A person is in front of it, who can read a page.
        return reply.redirect(`${FAILURE_PAGE}?${new URLSearchParams({ error: error.row })}`);
      }
    },
  );

  http.serve(linkSocialLogin, async ({ params: { provider }, caller, request, reply }) => {
    return { url: await begin(request, reply, { provider, next: SETTINGS, linksTo: caller }) };
  });

  http.serve(finishSocialLogin, async ({ params: { provider }, query, request, reply }) => {
    const cookie = flowCookie(provider, parts);
    const flow = await social.resume(query.state, cookie.read(request) ?? '');
    // A state is answered once, whatever comes of it.
    cookie.clear(reply);
    const outcome = await social.finish(flow, query, loginOriginOf(request, parts));
    const { kind } = outcome;
    if (kind === 'newcomer') newcomerCookie(parts).set(reply, outcome.sealed);
    const isKnown = kind === 'login' || kind === 'secondFactor';
    return {
      ...(isKnown && answerLogin(reply, outcome, parts)),
      isNew: kind === 'newcomer',
      isLinked: kind === 'link',
      next: flow.next,
    };
  });
}

/** The rest of the sign-up of a new person. */
function serveNewcomers(http: HttpServer, parts: SocialLoginRoutesParts): void {
  const { social } = parts;
  const cookie = newcomerCookie(parts);

  http.serve(getSocialSignup, async ({ request }) => {
    const { identity, nickname } = await social.findNewcomer(cookie.read(request) ?? '');
    return { provider: identity.provider, email: identity.email, nickname };
  });

  http.serve(finishSocialSignup, async ({ body, request, reply }) => {
    const sealed = cookie.read(request) ?? '';
    const tokens = await social.signUp(sealed, body, loginOriginOf(request, parts));
    cookie.clear(reply);
    return answerTokens(reply, tokens, parts);
  });
}
