import { DAY_MS, type ErrorName, type RateLimit } from '@mogakgong/contract';
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

/** @throws ApiError `row` with the time to wait, unless that is 0. */
export function assertNoWait(waitMs: number, row: ErrorName = 'tooManyRequests'): void {
  if (waitMs > 0) throw new ApiError(row, { retryAfterSeconds: waitMs / 1_000 });
}

/** @throws ApiError `row` where a limiter refuses what it counts. */
export async function requireAllowed(
  counting: Promise<unknown> | undefined,
  row?: ErrorName,
): Promise<void> {
  if (counting) assertNoWait(await waitMsOf(counting), row);
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
    const { name, per, networkMax, perDay, windowMs } = rate;
    const key = keyOf[per](request);
    await requireAllowed(limiterOf(name, rate).consume(key));
    if (perDay) {
      const ofDay = limiterOf(`${name}-day`, { max: perDay.max, windowMs: DAY_MS });
      await requireAllowed(ofDay.consume(key), perDay.error);
    }
    if (networkMax === undefined) return;
    const ofNetwork = limiterOf(`${name}-network`, { max: networkMax, windowMs });
    await requireAllowed(ofNetwork.consume(networksOf(request.ip).site));
  };
}
