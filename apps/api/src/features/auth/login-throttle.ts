import { loginThrottle } from '@mogakgong/contract';
import { addressBlock, assertNoWait } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';

const { failures, failuresPerBlock, firstWaitMs, longestWaitMs } = loginThrottle;

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Slows guessing without locking anybody out: failures count per account and address block, so the
 * owner at another address never waits (design §9); and per address block over all accounts.
 */
export function createLoginThrottle(limits: Limits) {
  const pairs = limits.shared('login-pair', failures);
  const blocks = limits.shared('login-block', failuresPerBlock);
  /** A pair with too many failures gets one guess in each wait, every wait twice as long. */
  const waits = limits.shared('login-wait', { max: 1, windowMs: firstWaitMs });

  return {
    /**
     * Counts an attempt before it is judged, so that a burst of parallel guesses is counted too.
     * @throws ApiError `tooManyRequests`.
     */
    async recordAttempt(email: string, address: string): Promise<void> {
      const pair = pairKey(email, address);
      assertNoWait((await waits.get(pair))?.msBeforeNext ?? 0);
      assertNoWait(await waitMsOf(blocks.consume(addressBlock(address))));
      const { consumedPoints } = await pairs.penalty(pair);
      const excess = consumedPoints - pairs.points;
      if (excess < 0) return;
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(excess, 20));
      const consuming = waits.consume(pair, 1, { customDuration: waitMs / 1_000 });
      assertNoWait(await waitMsOf(consuming));
    },

    /** The attempt was right: it does not count, and the failures of the pair are forgotten. */
    async recordSuccess(email: string, address: string): Promise<void> {
      const pair = pairKey(email, address);
      await Promise.all([
        pairs.delete(pair),
        waits.delete(pair),
        blocks.reward(addressBlock(address)),
      ]);
    },
  };
}

function pairKey(email: string, address: string): string {
  return `${email.trim().toLowerCase()} ${addressBlock(address)}`;
}
