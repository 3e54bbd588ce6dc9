import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../bench/support/random.ts';
import { untilServing } from '../../test/connect-to-process.ts';
import { apiPids } from '../../test/running-stack.ts';
import { PROCESSES, type Site } from './site.ts';

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

const KILL_EVERY_MS = 5_000;
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
  { stack, proxy, redis }: Site,
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
      const killed = chance.pick(await apiPids(stack));
      counts.kills += 1;
      process.kill(killed, 'SIGKILL');
      await untilServing(stack, PROCESSES, [killed]);
    }
  }

  async function disturbNetwork(chance: Random): Promise<void> {
    while (!signal.aborted) {
      await wait(chance.between(NETWORK_FAULT_EVERY_MS.from, NETWORK_FAULT_EVERY_MS.to));
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
      await redis.start();
    }
    for (let isFrozen = true; !signal.aborted; isFrozen = !isFrozen) {
      await wait(chance.between(REDIS_PAUSE_MS.from, REDIS_PAUSE_MS.to));
      if (signal.aborted) return;
      counts.redisAway += 1;
      if (isFrozen) redis.freeze();
      else await redis.kill();
      await wait(chance.between(REDIS_AWAY_MS.from, REDIS_AWAY_MS.to));
      if (isFrozen) redis.thaw();
      else await redis.start();
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
