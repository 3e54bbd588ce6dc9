import { loginThrottle } from '@mogakgong/contract';
import { type Limits, waitMsOf } from '../limits/index.ts';
import { addressBlock, siteNetwork } from './address-block.ts';
import { assertNoWait } from './rate-limits.ts';

const { failures, firstWaitMs, longestWaitMs } = loginThrottle;

/** Where a guess comes from. */
export interface GuessOrigin {
  readonly address: string;
  /** What tells a browser from others in which the guessed account was used before; null for a stranger's. */
  readonly knownBrowser: string | null;
}

export type GuessThrottle = ReturnType<typeof createGuessThrottle>;

/**
 * Slows guessing without locking anybody out (decision 108). A known browser has a few failures of its
 * own, and beyond them counts like any other: per account and address block, so that another address
 * does not wait (design §9); per address block over all accounts; and per account over all addresses.
 */
export function createGuessThrottle(limits: Limits) {
  const pairs = limits.shared('login-pair', failures);
  const blocks = limits.shared('login-block', loginThrottle.failuresPerBlock);
  const sites = limits.shared('login-site', loginThrottle.failuresPerSite);
  const accounts = limits.shared('login-account', loginThrottle.failuresPerAccount);
  const browsers = limits.shared('login-browser', loginThrottle.failuresPerKnownBrowser);
  /** A pair with too many failures gets one guess in each wait, every wait twice as long. */
  const waits = limits.shared('login-wait', { max: 1, windowMs: firstWaitMs });

  async function countPair(pair: string): Promise<void> {
    const { consumedPoints } = await pairs.penalty(pair);
    const excess = consumedPoints - pairs.points;
    if (excess < 0) return;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(excess, 20));
    const consuming = waits.consume(pair, 1, { customDuration: waitMs / 1_000 });
    assertNoWait(await waitMsOf(consuming));
  }

  return {
    /**
     * Counts an attempt before it is judged, so that a burst of parallel guesses is counted too.
     * @param guessed whose secret it is, e.g. an e-mail address; in any case.
     * @returns to be called if the attempt was right: it does not count then, and the failures of the
     * account at this address block or browser are forgotten.
     * @throws ApiError `tooManyRequests`.
     */
    async recordAttempt(
      guessed: string,
      { address, knownBrowser }: GuessOrigin,
    ): Promise<() => Promise<void>> {
      const account = guessed.trim().toLowerCase();
      const browser = `${account} ${knownBrowser}`;
      if (knownBrowser !== null && (await waitMsOf(browsers.consume(browser))) === 0) {
        return async () => void (await browsers.delete(browser));
      }
      const [block, site] = [addressBlock(address), siteNetwork(address)];
      const pair = `${account} ${block}`;
      assertNoWait((await waits.get(pair))?.msBeforeNext ?? 0);
      assertNoWait(await waitMsOf(blocks.consume(block)));
      if (site !== null) assertNoWait(await waitMsOf(sites.consume(site)));
      await countPair(pair);
      assertNoWait(await waitMsOf(accounts.consume(account)));
      return async () => {
        await Promise.all([
          ...[pairs, waits].map((limit) => limit.delete(pair)),
          blocks.reward(block),
          site !== null && sites.reward(site),
          accounts.reward(account),
        ]);
      };
    },
  };
}
