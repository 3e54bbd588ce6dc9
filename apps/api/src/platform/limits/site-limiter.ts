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

type Key = string | number;
type Counting = (limiter: RateLimiterAbstract, key: Key) => Promise<RateLimiterRes>;

/**
 * Counts in Redis, and keeps Redis's last answers in memory: without Redis counting continues from there, and
 * a Redis that returns empty receives them (decision 106). A count that is missing in a Redis that stayed was
 * ended by another process.
 */
export class SiteLimiter implements SharedLimiter {
  readonly #redis: RateLimiterRedis;
  readonly #memory: RateLimiterMemory;
  readonly #connections: () => number;

  /**
   * @param memory a limiter of the same points and duration.
   * @param connections how often Redis was connected to until now.
   */
  constructor(redis: RateLimiterRedis, memory: RateLimiterMemory, connections: () => number) {
    this.#redis = redis;
    this.#memory = memory;
    this.#connections = connections;
  }

  get points(): number {
    return this.#redis.points;
  }

  consume(...[key, ...options]: Parameters<SharedLimiter['consume']>) {
    return this.#count(key, (limiter, at) => limiter.consume(at, ...options));
  }

  penalty(...[key, ...options]: Parameters<SharedLimiter['penalty']>) {
    return this.#count(key, (limiter, at) => limiter.penalty(at, ...options));
  }

  reward(...[key, ...options]: Parameters<SharedLimiter['reward']>) {
    return this.#count(key, (limiter, at) => limiter.reward(at, ...options));
  }

  async get(key: Key): Promise<RateLimiterRes | null> {
    const { now, former } = this.#notes(key);
    try {
      return (await this.#redis.get(key)) ?? (await this.#memory.get(former));
    } catch {
      // Redis is away.
      return (await this.#memory.get(now)) ?? this.#memory.get(former);
    }
  }

  async delete(key: Key): Promise<boolean> {
    const { now, former } = this.#notes(key);
    await Promise.all([this.#memory.delete(now), this.#memory.delete(former)]);
    return this.#redis.delete(key).catch(() => false);
  }

  /** The keys of what was noted since Redis was connected to last, and during the connection before. */
  #notes(key: Key) {
    const connections = this.#connections();
    return { now: `${connections}:${key}`, former: `${connections - 1}:${key}` };
  }

  async #count(key: Key, count: Counting): Promise<RateLimiterRes> {
    const { now, former } = this.#notes(key);
    const noted = await this.#memory.get(former);
    await this.#memory.delete(former);
    let said: LimiterResult;
    try {
      said = await settled(count(this.#redis, key));
      if (said.answer.isFirstInDuration && noted && isOpen(noted)) {
        await this.#redis.set(key, noted.consumedPoints, Math.ceil(secondsOf(noted)));
        said = await settled(count(this.#redis, key));
      }
      await this.#note(now, said.answer);
    } catch {
      // Redis is away.
      if (noted && !(await this.#memory.get(now))) await this.#note(now, noted);
      return count(this.#memory, now);
    }
    if (said.isRefused) throw said.answer;
    return said.answer;
  }

  async #note(key: string, answer: RateLimiterRes): Promise<void> {
    await this.#memory.set(key, answer.consumedPoints, secondsOf(answer));
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
