import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/redis-server.ts';
import { createLogger } from '../logger/index.ts';
import {
  type Backplane,
  createRedisBackplane,
  refuseOtherThanStandalone,
  serverOf,
} from './index.ts';

const logger = createLogger('silent');

it('a key has one server, in whatever order they are listed', () => {
  const urls = ['redis://one:1', 'redis://two:1', 'redis://three:1/2'];
  const keys = Array.from({ length: 3_000 }, (_, index) => `/topic/board/${index}`);
  const servers = keys.map((key) => serverOf(urls, key));
  expect(keys.map((key) => serverOf(urls.toReversed(), key))).toEqual(servers);
  for (const url of urls) {
    const share = servers.filter((server) => server === url).length;
    expect(share).toBeGreaterThan(850);
    expect(share).toBeLessThan(1_150);
  }
});

it('a further server takes keys of all others, and moves no other key', () => {
  const urls = ['redis://one:1', 'redis://two:1'];
  const more = [...urls, 'redis://three:1'];
  const keys = Array.from({ length: 1_000 }, (_, index) => `seat:${index}`);
  const moved = keys.filter((key) => serverOf(urls, key) !== serverOf(more, key));
  expect(moved.every((key) => serverOf(more, key) === 'redis://three:1')).toBe(true);
  expect(moved.length).toBeGreaterThan(270);
  expect(moved.length).toBeLessThan(400);
});

it('a password is no part of the name of a server', () => {
  const [before, after] = ['redis://a:old@one:1', 'redis://a:new@one:1'];
  for (const key of ['1', '2', '3', '4', '5', '6']) {
    expect(serverOf([before, 'redis://two:1'], key) === before).toBe(
      serverOf([after, 'redis://two:1'], key) === after,
    );
  }
});

describe.skipIf(!hasRedis)('two processes with two Redis servers', () => {
  let servers: [RedisServer, RedisServer];
  const open: Backplane[] = [];
  beforeAll(async () => {
    servers = [await startRedis(), await startRedis()];
  });
  afterEach(() => Promise.all(open.splice(0).map((backplane) => backplane.close())));
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const urls = () => servers.map(({ url }) => url);
  const channelAt = (server: RedisServer) => {
    const names = Array.from({ length: 100 }, (_, index) => `room:${index}`);
    return names.find((name) => serverOf(urls(), name) === server.url) ?? '';
  };
  const start = async () => {
    const backplane = createRedisBackplane({ urls: urls(), siteId: 'a', logger });
    open.push(backplane);
    await vi.waitFor(() => expect(backplane.state).toBe('whole'), { timeout: 10_000 });
    return backplane;
  };

  it('lose the channels of one server alone, and hear which they are', async () => {
    const [here, there] = [await start(), await start()];
    const [lost, kept] = servers.map(channelAt) as [string, string];
    const received: string[] = [];
    for (const channel of [lost, kept]) {
      there.subscribe(channel, (event: string) => received.push(`${channel} ${event}`));
    }
    const states: [string, boolean, boolean][] = [];
    there.onState((state, isAffected) => states.push([state, isAffected(lost), isAffected(kept)]));
    const missed: [boolean, boolean][] = [];
    there.onMissed((isAffected) => missed.push([isAffected(lost), isAffected(kept)]));
    await servers[0].kill();
    await vi.waitFor(() => expect([here.state, there.state]).toEqual(['degraded', 'degraded']));
    expect([there.stateOf(lost), there.stateOf(kept)]).toEqual(['degraded', 'whole']);
    here.publish(lost, 'not heard');
    await vi.waitFor(() => {
      here.publish(kept, 'heard');
      expect(received).toContain(`${kept} heard`);
    });
    await servers[0].start();
    await vi.waitFor(() => expect([here.state, there.state]).toEqual(['whole', 'whole']), {
      timeout: 10_000,
    });
    await vi.waitFor(() => {
      here.publish(lost, 'again');
      expect(received).toContain(`${lost} again`);
    });
    expect(received).not.toContain(`${lost} not heard`);
    expect(states[0]).toEqual(['degraded', true, false]);
    expect(states.at(-1)).toEqual(['whole', true, false]);
    expect(missed).toContainEqual([true, false]);
  });
});

describe.skipIf(!hasRedis)('a Redis that is named', () => {
  it('is refused with a sentence in cluster mode, and taken alone or away', async () => {
    const cluster = await startRedis('--cluster-enabled', 'yes');
    onTestFinished(() => cluster.close());
    const alone = await startRedis();
    onTestFinished(() => alone.close());
    await expect(refuseOtherThanStandalone([alone.url, cluster.url])).rejects.toThrow(
      'REDIS_URL names a Redis in cluster mode.',
    );
    await expect(
      refuseOtherThanStandalone([alone.url, 'redis://127.0.0.1:1']),
    ).resolves.toBeUndefined();
  });
});
