import { login, loginThrottle, signup } from '@mogakgong/contract';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/redis-server.ts';
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

  it('count each by itself while Redis is away, and together again afterwards', async () => {
    const [one, other] = processes;
    for (let call = 0; call < 5; call += 1) await signUpAt(one);
    expect(await signUpAt(other)).toBe(429);
    await redis.kill();
    expect(await signUpAt(other)).toBe(200);
    await redis.start();
    // A Redis that kept nothing: five more for both together.
    const client = new Redis(redis.url);
    const countInRedis = async () => {
      const counts = await Promise.all(
        (await client.keys('*:limit:signup:*')).map((key) => client.get(key)),
      );
      return counts.reduce((sum, count) => sum + Number(count), 0);
    };
    for (const app of processes) {
      await vi.waitFor(
        async () => {
          const before = await countInRedis();
          await signUpAt(app);
          expect(await countInRedis()).toBe(before + 1);
        },
        { timeout: 20_000 },
      );
    }
    for (let count = await countInRedis(); count < 5; count += 1) {
      expect(await signUpAt(count % 2 ? one : other)).toBe(200);
    }
    client.disconnect();
    expect(await signUpAt(one)).toBe(429);
    expect(await signUpAt(other)).toBe(429);
  });
});
