import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/redis-server.ts';
import { allowInRedis, sendToRedis } from '../../../test/redis-site.ts';
import { createLogger } from '../logger/index.ts';
import { type Backplane, createInProcessBackplane, createRedisBackplane } from './index.ts';

const logger = createLogger('silent');
let redis: RedisServer | undefined;
const open: Backplane[] = [];

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterEach(() => Promise.all(open.splice(0).map((backplane) => backplane.close())));
afterAll(() => redis?.close());

async function redisBackplane(siteId = 'a'): Promise<Backplane> {
  const backplane = createRedisBackplane({ urls: [redis?.url ?? ''], siteId, logger });
  open.push(backplane);
  await vi.waitFor(() => expect(backplane.state).toBe('whole'), { timeout: 10_000 });
  return backplane;
}

const drivers = [
  { name: 'in process', isSkipped: false, create: async () => createInProcessBackplane() },
  { name: 'Redis', isSkipped: !hasRedis, create: () => redisBackplane() },
];

for (const { name, isSkipped, create } of drivers) {
  describe.skipIf(isSkipped)(`a backplane (${name})`, () => {
    it('delivers to every handler of a channel, at once in its own process, in order', async () => {
      const backplane = await create();
      const [first, second, other]: string[][] = [[], [], []];
      backplane.subscribe('a', (payload: string) => first?.push(payload));
      backplane.subscribe('a', (payload: string) => second?.push(payload));
      backplane.subscribe('b', (payload: string) => other?.push(payload));
      for (const payload of ['1', '2 with spaces', '한글']) backplane.publish('a', payload);
      expect(first).toEqual(['1', '2 with spaces', '한글']);
      expect(second).toEqual(first);
      expect(other).toEqual([]);
    });

    it('delivers once: what one published does not come back', async () => {
      const backplane = await create();
      const received: string[] = [];
      backplane.subscribe('a', (payload: string) => received.push(payload));
      backplane.subscribe('end', () => received.push('end'));
      backplane.publish('a', 'x');
      backplane.publish('end', '');
      await vi.waitFor(() => expect(received).toContain('end'));
      expect(received).toEqual(['x', 'end']);
    });

    it('goes on when a handler breaks', async () => {
      const backplane = await create();
      const received: string[] = [];
      backplane.subscribe('a', (payload: string) => JSON.parse(payload));
      backplane.subscribe('a', (payload: string) => received.push(payload));
      backplane.publish('a', 'no json');
      expect(received).toEqual(['no json']);
    });

    it('delivers nothing to a handler that stopped', async () => {
      const backplane = await create();
      const received: string[] = [];
      const stop = backplane.subscribe('a', (payload: string) => received.push(payload));
      stop();
      stop();
      backplane.publish('a', 'x');
      expect(received).toEqual([]);
    });
  });
}

describe.skipIf(!hasRedis)('backplanes of several processes', () => {
  it('measure the time of an event through Redis, which grows while Redis does not answer', async () => {
    const backplane = await redisBackplane();
    await vi.waitFor(() => expect(backplane.lagMs).toBeGreaterThan(0));
    const lagMs = backplane.lagMs;
    redis?.freeze();
    onTestFinished(() => redis?.thaw());
    await vi.waitFor(() => expect(backplane.lagMs).toBeGreaterThan(lagMs + 500), {
      timeout: 20_000,
    });
    redis?.thaw();
    await vi.waitFor(() => expect(backplane.state).toBe('whole'));
  });

  it('deliver to each other, in the order of the publisher, only what was asked for', async () => {
    const [one, two] = [await redisBackplane(), await redisBackplane()];
    const received: string[] = [];
    two.subscribe('a', (payload: string) => received.push(payload));
    await vi.waitFor(() => {
      one.publish('a', 'probe');
      expect(received).toContain('probe');
    });
    received.length = 0;
    for (let index = 0; index < 500; index += 1) one.publish('a', String(index));
    one.publish('b', 'unwanted');
    await vi.waitFor(() => expect(received.filter((text) => text !== 'probe')).toHaveLength(500));
    expect(received.filter((text) => text !== 'probe')).toEqual(
      Array.from({ length: 500 }, (_, index) => String(index)),
    );
  });

  it('hear nothing of another site on the same Redis', async () => {
    const [one, two, elsewhere] = await Promise.all(['a', 'a', 'b'].map(redisBackplane));
    const [here, there]: string[][] = [[], []];
    two?.subscribe('chat:1', (payload: string) => here?.push(payload));
    elsewhere?.subscribe('chat:1', (payload: string) => there?.push(payload));
    await vi.waitFor(() => {
      one?.publish('chat:1', 'from a');
      expect(here).toContain('from a');
    });
    elsewhere?.publish('chat:1', 'from b');
    one?.publish('chat:1', 'last');
    await vi.waitFor(() => expect(here).toContain('last'));
    expect(there).toEqual(['from b']);
    expect(here).not.toContain('from b');
  });

  it('go on alone without Redis, say so, and find each other again', async () => {
    const [one, two] = [await redisBackplane(), await redisBackplane()];
    const states: string[] = [];
    one.onState((state) => states.push(state));
    const [atOne, atTwo]: string[][] = [[], []];
    one.subscribe('a', (payload: string) => atOne?.push(payload));
    two.subscribe('a', (payload: string) => atTwo?.push(payload));
    await redis?.kill();
    await vi.waitFor(() => expect([one.state, two.state]).toEqual(['degraded', 'degraded']));
    one.publish('a', 'alone');
    expect(atOne).toEqual(['alone']);
    await redis?.start();
    await vi.waitFor(() => expect([one.state, two.state]).toEqual(['whole', 'whole']), {
      timeout: 15_000,
    });
    expect(states).toEqual(['degraded', 'whole']);
    await vi.waitFor(() => {
      one.publish('a', 'together');
      expect(atTwo).toContain('together');
    });
    expect(atTwo).not.toContain('alone');
  });

  const allow = (rule: string) => allowInRedis(redis as RedisServer, rule);

  it('repeat a SUBSCRIBE that Redis refuses, and are degraded until it is done', async () => {
    const [one, two] = [await redisBackplane(), await redisBackplane()];
    const states: string[] = [];
    two.onState((state) => states.push(state));
    const received: string[] = [];
    try {
      await allow('-subscribe');
      two.subscribe('late', (payload: string) => received.push(payload));
      const stop = two.subscribe('left again', () => undefined);
      await vi.waitFor(() => expect(two.state).toBe('degraded'));
      stop();
      one.publish('late', 'not heard');
    } finally {
      await allow('+subscribe');
    }
    await vi.waitFor(() => expect(two.state).toBe('whole'), { timeout: 10_000 });
    one.publish('late', 'heard');
    await vi.waitFor(() => expect(received).toEqual(['heard']));
    expect(states).toEqual(['degraded', 'whole']);
    const channel = 'mogakgong:a:left again';
    expect(await sendToRedis(redis as RedisServer, 'PUBSUB', 'NUMSUB', channel)).toEqual([
      channel,
      0,
    ]);
  });

  it('are degraded while Redis refuses a PUBLISH, and tell the others that events were lost', async () => {
    const [one, two] = [await redisBackplane(), await redisBackplane()];
    const [atOne, atTwo]: string[][] = [[], []];
    one.onState((state) => atOne?.push(state));
    two.onState((state) => atTwo?.push(state));
    try {
      await allow('-publish');
      one.publish('a', 'lost');
      await vi.waitFor(() => expect(atOne).toEqual(['degraded']));
    } finally {
      await allow('+publish');
    }
    await vi.waitFor(() => expect(atOne).toEqual(['degraded', 'whole']), { timeout: 10_000 });
    await vi.waitFor(() => expect(atTwo).toEqual(['whole']));
  });

  it('may have missed events of a process that begins, and of one that falls silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const one = await redisBackplane();
    const missed = vi.fn();
    one.onMissed(missed);
    const two = await redisBackplane();
    await vi.waitFor(() => expect(missed).toHaveBeenCalledTimes(1), { timeout: 3_000 });
    await two.close();
    vi.advanceTimersByTime(10_000);
    expect(missed).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(missed).toHaveBeenCalledTimes(2), { timeout: 3_000 });
    expect(one.state).toBe('whole');
  });

  it('give up a SUBSCRIBE that is never answered, and make it on another connection', async () => {
    const [one, two] = [await redisBackplane(), await redisBackplane()];
    const received: string[] = [];
    redis?.freeze();
    try {
      two.subscribe('late', (payload: string) => received.push(payload));
      await vi.waitFor(() => expect(two.state).toBe('degraded'), { timeout: 4_500 });
    } finally {
      redis?.thaw();
    }
    await vi.waitFor(() => expect([one.state, two.state]).toEqual(['whole', 'whole']), {
      timeout: 15_000,
    });
    one.publish('late', 'heard');
    await vi.waitFor(() => expect(received).toEqual(['heard']));
  });
});
