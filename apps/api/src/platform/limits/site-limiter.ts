import {
  type RateLimiterAbstract,
  type RateLimiterMemory,
  type RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/** The calls of rate-limiter-flexible that limits of a site offer. */
export type SharedLimiter = Pick<
  RateLimiterAbstract,
  'points' | 'consume' | 'penalty' | 'reward' | 'get' | 'delete'
>;

type Counting = (limiter: RateLimiterAbstract) => Promise<RateLimiterRes>;

/**
 * Counts in Redis, and keeps Redis's last answers in memory: without Redis counting continues from there, and
 * a Redis that returns empty receives them (decision 106).
 */
export class SiteLimiter implements SharedLimiter {
  readonly #redis: RateLimiterRedis;
  readonly #memory: RateLimiterMemory;

  /** @param memory a limiter of the same points and duration. */
  constructor(redis: RateLimiterRedis, memory: RateLimiterMemory) {
    this.#redis = redis;
    this.#memory = memory;
  }

  get points(): number {
    return this.#redis.points;
  }

  consume(...[key, points, options]: Parameters<SharedLimiter['consume']>) {
    return this.#count(key, (limiter) => limiter.consume(key, points, options));
  }

  penalty(...[key, points, options]: Parameters<SharedLimiter['penalty']>) {
    return this.#count(key, (limiter) => limiter.penalty(key, points, options));
  }

  reward(...[key, points, options]: Parameters<SharedLimiter['reward']>) {
    return this.#count(key, (limiter) => limiter.reward(key, points, options));
  }

  async get(key: string | number): Promise<RateLimiterRes | null> {
    const noted = await this.#memory.get(key);
    return (await this.#redis.get(key).catch(() => null)) ?? noted;
  }

  async delete(key: string | number): Promise<boolean> {
    await this.#memory.delete(key);
    return this.#redis.delete(key).catch(() => false);
  }

  async #count(key: string | number, count: Counting): Promise<RateLimiterRes> {
    const noted = await this.#memory.get(key);
    let said: LimiterResult;
    try {
      said = await settled(count(this.#redis));
      if (said.answer.isFirstInDuration && noted && isOpen(noted)) {
        await this.#redis.set(key, noted.consumedPoints, Math.ceil(secondsOf(noted)));
        said = await settled(count(this.#redis));
      }
      await this.#memory.set(key, said.answer.consumedPoints, secondsOf(said.answer));
    } catch {
      // Redis is away.
      return count(this.#memory);
    }
    if (said.isRefused) throw said.answer;
    return said.answer;
  }
}

/** The result of a limiter, also beyond the limit. */
interface LimiterResult {
  readonly answer: RateLimiterRes;
  readonly isRefused: boolean;
}

async function settled(counting: Promise<RateLimiterRes>): Promise<LimiterResult> {
  try {
    return { answer: await counting, isRefused: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { answer: error, isRefused: true };
    throw error;
  }
}

/** Our copy may outlive the count in Redis by one round trip: that is no lost count. */
const LEAST_LEFT_MS = 1_000;

const isOpen = ({ consumedPoints, msBeforeNext }: RateLimiterRes) =>
  consumedPoints > 0 && msBeforeNext > LEAST_LEFT_MS;

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, msBeforeNext) / 1_000;
