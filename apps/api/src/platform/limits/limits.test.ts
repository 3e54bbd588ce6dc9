import { login, loginThrottle, signup } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/redis-server.ts';
import { allowInRedis, sendToRedis } from '../../../test/redis-site.ts';
import { createTestApp, signupPayload, type TestApp } from '../../../test/test-app.ts';
import { createLogger } from '../logger/index.ts';
import { createLimits, type Limits } from './index.ts';

const logger = createLogger('silent');

describe.skipIf(!hasRedis)('two processes of a site', () => {
  let redis: RedisServer;
  let limits: Limits[];
  let processes: [TestApp, TestApp];
  beforeEach(async () => {
    redis = await startRedis();
    limits = ['one', 'other'].map(() =>
      createLimits({ scale: 1, redis: { url: redis.url, siteId: 'a', logger } }),
    );
    const [first, second] = limits;
    const one = await createTestApp({ limits: first });
    processes = [one, await createTestApp({ limits: second, besides: one })];
  });
  afterEach(async () => {
    for (const { close } of limits) close();
    for (const app of processes.toReversed()) await app.close();
    await redis.close();
  });

  const signUpAt = async (app: TestApp) => {
    const { method, path: url } = signup;
    return (await app.inject({ method, url, payload: signupPayload() })).statusCode;
  };
  const guessAt = async (app: TestApp, email: string) => {
    const { method, path: url } = login;
    const answer = await app.inject({ method, url, payload: { email, password: 'Wrong-lamp-1' } });
    return [answer.statusCode, Number(answer.headers['retry-after'] ?? 0)] as const;
  };

  it('count calls together', async () => {
    const [one, other] = processes;
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) statuses.push(await signUpAt(call % 2 ? one : other));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await signUpAt(one)).toBe(429);
    expect(await signUpAt(other)).toBe(429);
  });

  it('count wrong passwords together, many at once too', async () => {
    const [one, other] = processes;
    const email = 'victim@example.org';
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => guessAt(index % 2 ? one : other, email)),
    );
    const judged = guesses.filter(([status]) => status === 401);
    expect(judged).toHaveLength(loginThrottle.failures.max);
    const [status, waitSeconds] = await guessAt(one, email);
    expect(status).toBe(429);
    expect(waitSeconds).toBeGreaterThan(30);
  });

  /** Repeats until Redis counts again for a process; the key belongs to no limit of these tests. */
  const untilCounted = ({ shared }: Limits) => {
    const probe = shared('probe', { max: 1_000_000, windowMs: 60_000 });
    return vi.waitFor(
      async () => {
        await probe.consume('it');
        expect(await sendToRedis(redis, 'EXISTS', 'mogakgong:a:limit:probe:it')).toBe(1);
      },
      { timeout: 20_000 },
    );
  };
  it('go on from what was counted while Redis is away, and after it came back empty', async () => {
    const [one, other] = processes;
    for (let call = 0; call < 4; call += 1) await signUpAt(one);
    expect(await signUpAt(other)).toBe(200);
    await redis.kill();
    // One process knows of four, the other of five.
    expect([await signUpAt(one), await signUpAt(one)]).toEqual([200, 429]);
    expect(await signUpAt(other)).toBe(429);
    await redis.start();
    await Promise.all(limits.map(untilCounted));
    expect(await signUpAt(other)).toBe(429);
    expect(await signUpAt(one)).toBe(429);
  });

  it('do not forget wrong passwords with Redis', async () => {
    const [one] = processes;
    const email = 'victim@example.org';
    for (let guess = 0; guess < loginThrottle.failures.max; guess += 1) await guessAt(one, email);
    const isThrottled = async () => {
      const [status, waitSeconds] = await guessAt(one, email);
      expect(status).toBe(429);
      expect(waitSeconds).toBeGreaterThan(30);
    };
    await isThrottled();
    await redis.kill();
    await isThrottled();
    await redis.start();
    await Promise.all(limits.map(untilCounted));
    await isThrottled();
  });

  it('forget together what one of them ends or takes back', async () => {
    const [one, other] = limits.map(({ shared }) =>
      shared('ended', { max: 30, windowMs: 3_600_000 }),
    );
    for (let count = 0; count < 30; count += 1) await one?.consume('a');
    await other?.penalty('a');
    await one?.delete('a');
    expect(await other?.get('a')).toBeNull();
    expect((await other?.consume('a'))?.consumedPoints).toBe(1);
    for (const change of ['consume', 'reward'] as const) {
      for (let count = 0; count < 8; count += 1) await (count % 2 ? one : other)?.[change]('b');
    }
    expect((await one?.consume('b'))?.consumedPoints).toBe(1);
  });

  it('count again in a Redis that kept its counts', async () => {
    const [one, other] = processes;
    await signUpAt(one);
    await allowInRedis(redis, '-evalsha', '-eval');
    expect(await signUpAt(one)).toBe(200);
    await allowInRedis(redis, '+evalsha', '+eval');
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) statuses.push(await signUpAt(other));
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  it('wait once, not each time, for a Redis that answers nothing', async () => {
    const limiter = limits[0]?.shared('many', { max: 1_000, windowMs: 60_000 });
    await limiter?.consume('a');
    redis.freeze();
    try {
      const startMs = performance.now();
      for (let call = 0; call < 40; call += 1) await limiter?.consume('a');
      // 40 × 500 ms before.
      expect(performance.now() - startMs).toBeLessThan(5_000);
      expect((await limiter?.get('a'))?.consumedPoints).toBe(41);
    } finally {
      redis.thaw();
    }
    await vi.waitFor(
      async () => {
        await limiter?.consume('a');
        expect(await sendToRedis(redis, 'GET', 'mogakgong:a:limit:many:a')).not.toBe('1');
      },
      { timeout: 20_000 },
    );
  });
});
