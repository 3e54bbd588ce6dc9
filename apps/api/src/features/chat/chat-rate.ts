import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** What a learner may do so often over time, and so often at once, in all tabs together. */
export function createChatRate(clock: Clock, rate: Rate, scale: number) {
  const perSecond = rate.perSecond * scale;
  const burst = rate.burst * scale;
  const buckets = new Map<UserId, Bucket>();

  return {
    /** Whether this learner may do it once more now; counts it if so. */
    consume(userId: UserId): boolean {
      const nowMs = clock.now().getTime();
      const bucket = buckets.get(userId) ?? { tokens: burst, atMs: nowMs };
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perSecond);
      bucket.atMs = nowMs;
      buckets.set(userId, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },

    /** Forgets those whose allowance is whole again. */
    forgetIdle(): void {
      const fullAfterMs = (burst / perSecond) * 1_000;
      const oldestMs = clock.now().getTime() - fullAfterMs;
      for (const [userId, bucket] of buckets) if (bucket.atMs < oldestMs) buckets.delete(userId);
    },
  };
}

export type ChatRate = ReturnType<typeof createChatRate>;
