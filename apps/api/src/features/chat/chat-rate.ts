import { chatRate, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** One message a second with a burst of five, a learner, over all tabs (design §9). */
export function createChatRate(clock: Clock, scale: number) {
  const perSecond = chatRate.perSecond * scale;
  const burst = chatRate.burst * scale;
  const buckets = new Map<UserId, Bucket>();

  return {
    /** Whether this learner may send one more message now; counts it if so. */
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
