import type { BurstRate, RateLimit } from '@mogakgong/contract';
import { Redis } from 'ioredis';
import {
  BurstyRateLimiter,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../logger/index.ts';
import { type SharedLimiter, SiteLimiter } from './site-limiter.ts';

export type { SharedLimiter };

/** Time over which a burst refills. */
const BURST_WINDOW_MS = 10_000;
/**
 * If Redis answers later it counts as away until it answers a new connection: only one call waits this long.
 */
const REDIS_TIMEOUT_MS = 500;

interface LimitsOptions {
  /** Multiplies the allowed numbers. */
  readonly scale: number;
  /** Counts shared by the processes of a site; without it each process counts alone. */
  readonly redis?: {
    readonly url: string;
    /** Sites may share a Redis. */
    readonly siteId: string;
    readonly logger: Logger;
  };
}

/** Creates limiters; applies `RATE_LIMIT_SCALE` to their limits. */
export interface Limits {
  /**
   * Counts for the whole site; while Redis is away for this process alone, starting from the last known
   * count.
   */
  shared(name: string, limit: Pick<RateLimit, 'max' | 'windowMs'>): SharedLimiter;
  /** Counts in this process, in memory: for events too frequent to ask Redis. */
  local(rate: BurstRate): Pick<RateLimiterAbstract, 'consume'>;
  close(): void;
}

export function createLimits({ scale, redis }: LimitsOptions): Limits {
  const scaled = (points: number) => Math.max(1, Math.round(points * scale));
  const client = redis && connect(redis);
  let connections = 0;
  client?.on('ready', () => {
    connections += 1;
  });
  return {
    shared(name, { max, windowMs }) {
      const options = { keyPrefix: name, points: scaled(max), duration: windowMs / 1_000 };
      const memory = new RateLimiterMemory(options);
      if (!client) return memory;
      const keyPrefix = `mogakgong:${redis.siteId}:limit:${name}`;
      const shared = new RateLimiterRedis({
        ...options,
        keyPrefix,
        storeClient: client,
        rejectIfRedisNotReady: true,
      });
      return new SiteLimiter(shared, memory, () => connections);
    },
    local: ({ perSecond, burst }) =>
      new BurstyRateLimiter(
        new RateLimiterMemory({ points: scaled(perSecond), duration: 1 }),
        new RateLimiterMemory({
          keyPrefix: 'burst',
          points: scaled(burst - perSecond),
          duration: BURST_WINDOW_MS / 1_000,
        }),
      ),
    close: () => client?.disconnect(),
  };
}

function connect({ url, logger }: NonNullable<LimitsOptions['redis']>): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: REDIS_TIMEOUT_MS,
  });
  client.on('error', (error) => logger.debug({ err: error }, 'no Redis to count limits in'));
  return client;
}

/** The result of a limiter: 0 if one more is allowed, otherwise the time to wait in ms. */
export async function waitMsOf(consuming: Promise<unknown>): Promise<number> {
  try {
    await consuming;
    return 0;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
    throw refusal;
  }
}
