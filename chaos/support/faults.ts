import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../../bench/support/product.ts';
import type { FlakyProxy } from './flaky-proxy.ts';
import type { Random } from './random.ts';
import type { RunRedis } from './redis.ts';

export interface FaultCounts {
  kills: number;
  cuts: number;
  stalls: number;
  redisAway: number;
}

interface FaultOptions {
  /** The first outage of Redis lasts a whole minute. */
  readonly hasLongOutage: boolean;
}

interface FaultTargets {
  readonly apis: readonly Api[];
  readonly proxies: readonly FlakyProxy[];
  readonly redis: RunRedis;
}

const KILL_EVERY_MS = 5_000;
const DOWN_MS = { from: 200, to: 1_500 };
const NETWORK_FAULT_EVERY_MS = { from: 50, to: 400 };
const STALL_MS = { from: 500, to: 12_000 };
const REDIS_PAUSE_MS = { from: 8_000, to: 12_000 };
const REDIS_AWAY_MS = { from: 3_000, to: 9_000 };
const LONG_OUTAGE_MS = 60_000;

export interface Faults {
  readonly counts: FaultCounts;
  /** Ends the faults; everything works again when it resolves. */
  stop(): Promise<void>;
}

/** Starts to kill, cut, stall and freeze, by a seeded plan. */
export function startFaults(
  { apis, proxies, redis }: FaultTargets,
  random: Random,
  { hasLongOutage }: FaultOptions,
): Faults {
  const counts: FaultCounts = { kills: 0, cuts: 0, stalls: 0, redisAway: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);

  async function killApis(chance: Random): Promise<void> {
    for (let dueMs = performance.now() + KILL_EVERY_MS; ; dueMs += KILL_EVERY_MS) {
      await wait(Math.max(0, dueMs - performance.now()));
      if (signal.aborted) return;
      const api = chance.pick(apis);
      counts.kills += 1;
      await api.kill();
      await delay(chance.between(DOWN_MS.from, DOWN_MS.to));
      await api.restart();
    }
  }

  async function disturbNetwork(chance: Random): Promise<void> {
    while (!signal.aborted) {
      await wait(chance.between(NETWORK_FAULT_EVERY_MS.from, NETWORK_FAULT_EVERY_MS.to));
      const proxy = chance.pick(proxies);
      const chosen = chance.between(0, 1_000_000);
      if (chance.between(0, 1) < 0.5) {
        counts.cuts += 1;
        proxy.cut(chosen);
      } else {
        counts.stalls += 1;
        proxy.stall(chosen, chance.between(STALL_MS.from, STALL_MS.to));
      }
    }
  }

  async function disturbRedis(chance: Random): Promise<void> {
    if (hasLongOutage) {
      counts.redisAway += 1;
      await redis.kill();
      await delay(LONG_OUTAGE_MS);
      await redis.restart();
    }
    for (let isFrozen = true; !signal.aborted; isFrozen = !isFrozen) {
      await wait(chance.between(REDIS_PAUSE_MS.from, REDIS_PAUSE_MS.to));
      if (signal.aborted) return;
      counts.redisAway += 1;
      if (isFrozen) redis.freeze();
      else await redis.kill();
      await wait(chance.between(REDIS_AWAY_MS.from, REDIS_AWAY_MS.to));
      if (isFrozen) redis.thaw();
      else await redis.restart();
    }
  }

  const work = [
    killApis(random.split()),
    disturbNetwork(random.split()),
    disturbRedis(random.split()),
  ];
  return {
    counts,
    async stop() {
      stopping.abort();
      await Promise.all(work);
    },
  };
}
