import { loginThrottle } from '@mogakgong/contract';
import { type Limits, waitMsOf } from '../limits/index.ts';
import { addressBlock } from './address-block.ts';
import { assertNoWait } from './rate-limits.ts';

const { failures, failuresPerBlock, firstWaitMs, longestWaitMs } = loginThrottle;

export type GuessThrottle = ReturnType<typeof createGuessThrottle>;

/**
 * Slows guessing without locking anybody out: failures count per account and address block, so the
 * owner at another address never waits (design §9); and per address block over all accounts.
 */
export function createGuessThrottle(limits: Limits) {
  const pairs = limits.shared('login-pair', failures);
  const blocks = limits.shared('login-block', failuresPerBlock);
  /** A pair with too many failures gets one guess in each wait, every wait twice as long. */
  const waits = limits.shared('login-wait', { max: 1, windowMs: firstWaitMs });

  return {
    /**
     * Counts an attempt before it is judged, so that a burst of parallel guesses is counted too.
     * @param guessed whose secret it is, e.g. an e-mail address; in any case.
     * @throws ApiError `tooManyRequests`.
     */
    async recordAttempt(guessed: string, address: string): Promise<void> {
      const pair = pairKey(guessed, address);
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
    async recordSuccess(guessed: string, address: string): Promise<void> {
      const pair = pairKey(guessed, address);
      await Promise.all([
        pairs.delete(pair),
        waits.delete(pair),
        blocks.reward(addressBlock(address)),
      ]);
    },
  };
}

function pairKey(guessed: string, address: string): string {
  return `${guessed.trim().toLowerCase()} ${addressBlock(address)}`;
}
