import {
  KNOWN_BROWSER_SECONDS,
  type login,
  REFRESH_TOKEN_SECONDS,
  type RouteReply,
  SECOND_FACTOR_SECONDS,
  UserId,
} from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { ProcessContext } from '../../platform/context/index.ts';
import { createOwnCookie } from '../../platform/http/index.ts';
import { createSealedCookies } from '../../platform/sealed-values/index.ts';

/** The tokens that a client holds while it is logged in. */
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

/** A log-in that waits for its second factor; good for nothing else. */
const FirstFactor = z.object({ userId: UserId, passwordVersion: z.nullable(z.string()) });
export type FirstFactor = z.infer<typeof FirstFactor>;

/** The result of a right password, or of a provider: tokens, or the question for a second factor. */
export type LoginOutcome = IssuedTokens | FirstFactor;

/** Keeps a browser logged in. */
const refreshCookie = {
  name: 'mogakgong_refresh',
  path: '/api/auth',
  lifetimeSeconds: REFRESH_TOKEN_SECONDS,
};

/** Only the browser that began a log-in can finish it. */
const firstFactorCookie = {
  name: 'mogakgong_first_factor',
  path: '/api/auth',
  lifetimeSeconds: SECOND_FACTOR_SECONDS,
};

/** Recognises the browser of a learner; it opens nothing. */
const browserCookie = {
  name: 'mogakgong_browser',
  path: '/api',
  lifetimeSeconds: KNOWN_BROWSER_SECONDS,
};

/** The cookies of log-ins, and the answers that set them. */
export function createLogInCookies(context: ProcessContext) {
  const refresh = createOwnCookie(refreshCookie, context.env.PUBLIC_URL);
  const browser = createOwnCookie(browserCookie, context.env.PUBLIC_URL);
  const firstFactor = createSealedCookies(context)(firstFactorCookie, FirstFactor);

  /** Answers a finished log-in: the refresh token into its cookie, the access token into the body. */
  function answerTokens(
    reply: FastifyReply,
    { accessToken, refreshToken, browserToken }: IssuedTokens,
  ): { token: string } {
    refresh.set(reply, refreshToken);
    if (browserToken !== undefined) browser.set(reply, browserToken);
    return { token: accessToken };
  }

  return {
    refresh,
    browser,
    firstFactor,
    answerTokens,

    /** Answers one factor of a log-in. */
    async answerLogin(
      reply: FastifyReply,
      outcome: LoginOutcome,
    ): Promise<RouteReply<typeof login>> {
      if ('accessToken' in outcome) return answerTokens(reply, outcome);
      await firstFactor.set(reply, outcome);
      return { needsSecondFactor: true };
    },

    originOf: ({ ip, headers, cookies }: FastifyRequest): LoginOrigin => ({
      address: ip,
      userAgent: headers['user-agent'] ?? '',
      browserToken: cookies[browser.name] ?? null,
    }),
  };
}

export type LogInCookies = ReturnType<typeof createLogInCookies>;
