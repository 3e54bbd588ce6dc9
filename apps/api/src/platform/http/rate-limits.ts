import { type LimitName, type RateLimit, rateLimits } from '@mogakgong/contract';
import type { FastifyRequest } from 'fastify';
import { type Limits, waitMsOf } from '../limits/index.ts';
import { networksOf } from './address-block.ts';
import { ApiError } from './api-error.ts';

/** Counts one call against a limit; refuses it with 429 and Retry-After beyond the limit. */
export type ConsumeLimit = (name: LimitName, request: FastifyRequest) => Promise<void>;

const keyOf = {
  address: (request: FastifyRequest) => networksOf(request.ip).own,
  user: (request: FastifyRequest) => String(request.caller?.userId ?? networksOf(request.ip).own),
} as const satisfies Record<RateLimit['per'], (request: FastifyRequest) => string>;

/** @throws ApiError `tooManyRequests` with the time to wait, unless that is 0. */
export function assertNoWait(waitMs: number): void {
  if (waitMs > 0) throw new ApiError('tooManyRequests', { retryAfterSeconds: waitMs / 1_000 });
}

/** @throws ApiError `tooManyRequests` where a limiter refuses what it counts. */
export async function requireAllowed(counting: Promise<unknown> | undefined): Promise<void> {
  if (counting) assertNoWait(await waitMsOf(counting));
}

/** Makes the limits of the contract. */
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
    await requireAllowed(limiters.get(name)?.consume(keyOf[rateLimits[name].per](request)));
    await requireAllowed(networks.get(name)?.consume(networksOf(request.ip).site));
  };
}
