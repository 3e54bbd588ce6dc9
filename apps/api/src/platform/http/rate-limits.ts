import { type LimitName, type RateLimit, rateLimits } from '@mogakgong/contract';
import type { FastifyRequest } from 'fastify';
import { type Limits, waitMsOf } from '../limits/index.ts';
import { clientNetwork, widerNetwork } from './address-block.ts';
import { ApiError } from './api-error.ts';

/** Counts one call against a limit; refuses it with 429 and Retry-After beyond the limit. */
export type ConsumeLimit = (name: LimitName, request: FastifyRequest) => Promise<void>;

const keyOf = {
  address: (request: FastifyRequest) => clientNetwork(request.ip),
  user: (request: FastifyRequest) => String(request.caller?.userId ?? clientNetwork(request.ip)),
} as const satisfies Record<RateLimit['per'], (request: FastifyRequest) => string>;

/** @throws ApiError `tooManyRequests` with the time to wait, unless that is 0. */
export function assertNoWait(waitMs: number): void {
  if (waitMs > 0) throw new ApiError('tooManyRequests', { retryAfterSeconds: waitMs / 1_000 });
}

/** Creates the limits of the contract. */
export function createRateLimits(limits: Limits): ConsumeLimit {
  const entries: readonly (readonly [string, RateLimit])[] = Object.entries(rateLimits);
  const limiters = new Map(entries.map(([name, limit]) => [name, limits.shared(name, limit)]));
  const networks = new Map(
    entries.flatMap(([name, { networkMax, windowMs }]) =>
      networkMax === undefined
        ? []
        : [[name, limits.shared(`${name}-network`, { max: networkMax, windowMs })]],
    ),
  );
  return async (name, request) => {
    const consuming = limiters.get(name)?.consume(keyOf[rateLimits[name].per](request));
    assertNoWait(await waitMsOf(consuming ?? Promise.resolve()));
    const network = networks.get(name)?.consume(widerNetwork(request.ip));
    if (network) assertNoWait(await waitMsOf(network));
  };
}
