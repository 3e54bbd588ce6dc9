import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';
import { type RedisServer, startRedis } from '../../../test/redis-server.ts';
import { type Backplane, createRedisBackplane } from '../src/platform/backplane/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** Two processes of one site that listen, with a real Redis between them. */
export interface RedisSite {
  readonly redis: RedisServer;
  readonly backplanes: readonly [Backplane, Backplane];
  readonly apps: readonly [TestApp, TestApp];
  /** Resolves when both processes reach Redis. */
  untilWhole(): Promise<void>;
  close(): Promise<void>;
}

/** Sends a command of the test to Redis; returns the reply. */
export async function sendToRedis(
  { url }: Pick<RedisServer, 'url'>,
  ...command: [string, ...string[]]
): Promise<unknown> {
  const client = new Redis(url);
  try {
    return await client.call(...command);
  } finally {
    client.disconnect();
  }
}

/** Changes the permissions of all clients in Redis, by an ACL rule such as `-publish`. */
export const allowInRedis = (redis: Pick<RedisServer, 'url'>, ...rules: string[]) =>
  sendToRedis(redis, 'ACL', 'SETUSER', 'default', ...rules);

export async function openRedisSite(): Promise<RedisSite> {
  const redis = await startRedis();
  const open = () =>
    createRedisBackplane({ urls: [redis.url], siteId: 'a', logger: createLogger('silent') });
  const backplanes = [open(), open()] as const;
  const first = await createTestApp({ backplane: backplanes[0] });
  const second = await createTestApp({ backplane: backplanes[1], besides: first });
  await Promise.all([first.listen(), second.listen()]);
  const untilWhole = () =>
    vi.waitFor(() => expect(backplanes.map(({ state }) => state)).toEqual(['whole', 'whole']), {
      timeout: 15_000,
    });
  await untilWhole();
  return {
    redis,
    backplanes,
    apps: [first, second],
    untilWhole,
    async close() {
      await second.close();
      await first.close();
      await redis.close();
    },
  };
}
