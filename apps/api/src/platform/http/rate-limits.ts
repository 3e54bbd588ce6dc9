import { type LimitName, type RateLimit, rateLimits } from '@mogakgong/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientNetwork } from './address-block.ts';
import { ApiError } from './api-error.ts';

/** Counts one call against a limit; refuses it with 429 and Retry-After when there are too many. */
export type ConsumeLimit = (name: LimitName, request: FastifyRequest) => Promise<void>;

const keyOf = {
  address: (request: FastifyRequest) => clientNetwork(request.ip),
  user: (request: FastifyRequest) => String(request.caller?.userId ?? clientNetwork(request.ip)),
} as const satisfies Record<RateLimit['per'], (request: FastifyRequest) => string>;

/** Makes the limits of the contract, each multiplied by RATE_LIMIT_SCALE. */
export function createRateLimits(fastify: FastifyInstance, scale: number): ConsumeLimit {
  const limits: Record<LimitName, RateLimit> = rateLimits;
  const checks = new Map(
    Object.entries(limits).map(([name, { max, windowMs, per }]) => [
      name,
      fastify.createRateLimit({
        max: Math.max(1, Math.round(max * scale)),
        timeWindow: windowMs,
        keyGenerator: keyOf[per],
      }),
    ]),
  );
  return async (name, request) => {
    const outcome = await checks.get(name)?.(request);
    if (outcome && !outcome.isAllowed && outcome.isExceeded) {
      throw new ApiError('tooManyRequests', { retryAfterSeconds: outcome.ttlInSeconds });
    }
  };
}
