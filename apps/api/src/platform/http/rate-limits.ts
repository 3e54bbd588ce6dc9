import type { RateLimit } from '@mogakgong/contract';
import type { FastifyRequest } from 'fastify';
import { type Limits, type SharedLimiter, waitMsOf } from '../limits/index.ts';
import { networksOf } from './address-block.ts';
import { ApiError } from './api-error.ts';

/** Counts one call against a limit; refuses it with 429 and Retry-After beyond the limit. */
export type ConsumeLimit = (rate: RateLimit, request: FastifyRequest) => Promise<void>;

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

/** Counts calls against rates, each from its first call on. */
export function createRateLimits(limits: Limits): ConsumeLimit {
  const limiters = new Map<string, SharedLimiter>();
  function limiterOf(name: string, limit: Pick<RateLimit, 'max' | 'windowMs'>): SharedLimiter {
    const limiter = limiters.get(name) ?? limits.shared(name, limit);
    limiters.set(name, limiter);
    return limiter;
  }
  return async (rate, request) => {
    const { name, per, networkMax, windowMs } = rate;
    await requireAllowed(limiterOf(name, rate).consume(keyOf[per](request)));
    if (networkMax === undefined) return;
    const ofNetwork = limiterOf(`${name}-network`, { max: networkMax, windowMs });
    await requireAllowed(ofNetwork.consume(networksOf(request.ip).site));
  };
}
