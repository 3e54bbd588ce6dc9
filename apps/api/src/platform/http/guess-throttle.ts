import { loginThrottle, type UserId } from '@mogakgong/contract';
import { type Limits, waitMsOf } from '../limits/index.ts';
import { networksOf } from './address-block.ts';
import { assertNoWait, requireAllowed } from './rate-limits.ts';

const { failures, firstWaitMs, longestWaitMs } = loginThrottle;

/** Origin of a guess. */
export interface GuessOrigin {
  readonly address: string;
  /** Null for a browser without an earlier log-in to the guessed account. */
  readonly knownBrowser: KnownBrowser | null;
}

/** A browser with an earlier log-in to an account. */
export interface KnownBrowser {
  readonly userId: UserId;
  /** Identifies it: by its cookie, or by the log-in of the request. */
  readonly id: string;
}

export type GuessThrottle = ReturnType<typeof createGuessThrottle>;

/**
 * Slows guessing without locking anybody out (decision 108). A known browser has a few failures of its own,
 * and beyond them counts like any other: per account and address block, so that other addresses do not wait
 * (design §9); per address block over all accounts; and per account over all addresses.
 */
export function createGuessThrottle(limits: Limits) {
  const pairs = limits.shared('login-pair', failures);
  const blocks = limits.shared('login-block', loginThrottle.failuresPerBlock);
  const sites = limits.shared('login-site', loginThrottle.failuresPerSite);
  const accounts = limits.shared('login-account', loginThrottle.failuresPerAccount);
  const browsers = limits.shared('login-browser', loginThrottle.failuresPerKnownBrowser);
  const successes = limits.shared('login-success', loginThrottle.successesPerAccount);
  /** A pair with too many failures gets one guess in each wait; every wait is twice as long as the last. */
  const waits = limits.shared('login-wait', { max: 1, windowMs: firstWaitMs });

  async function countPair(pair: string): Promise<void> {
    const { consumedPoints } = await pairs.penalty(pair);
    const excess = consumedPoints - pairs.points;
    if (excess < 0) return;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(excess, 20));
    await requireAllowed(waits.consume(pair, 1, { customDuration: waitMs / 1_000 }));
  }

  const forgetPair = (pair: string) => Promise.all([pairs.delete(pair), waits.delete(pair)]);

  /**
   * @returns to be called if the attempt was right: it is not counted then, and the account's failures at
   *   this address block or browser are cleared.
   */
  async function countFailure(
    account: string,
    { address, knownBrowser }: GuessOrigin,
  ): Promise<() => Promise<unknown>> {
    const browser = `${account} ${knownBrowser?.id}`;
    if (knownBrowser !== null && (await waitMsOf(browsers.consume(browser))) === 0) {
      return () => browsers.delete(browser);
    }
    const { block, site } = networksOf(address);
    const pair = `${account} ${block}`;
    assertNoWait((await waits.get(pair))?.msBeforeNext ?? 0);
    await requireAllowed(blocks.consume(block));
    await requireAllowed(sites.consume(site));
    await countPair(pair);
    await requireAllowed(accounts.consume(account));
    return () =>
      Promise.all([
        forgetPair(pair),
        blocks.reward(block),
        sites.reward(site),
        accounts.reward(account),
      ]);
  }

  return {
    /**
     * Judges an attempt. It is counted as a failure and as a success beforehand, so that parallel attempts
     * count too; the wrong count is taken back.
     * @param guessed the account of the secret, e.g. an e-mail address, in any letter case.
     * @param judging resolves to null for a wrong secret.
     * @throws ApiError `tooManyRequests`, and errors of `judging`, which count as a failure.
     */
    async judge<Result>(
      guessed: string,
      origin: GuessOrigin,
      judging: () => Promise<Result | null>,
    ): Promise<Result | null> {
      const account = accountOf(guessed);
      const forgive = await countFailure(account, origin);
      // Guesses of strangers, counted while they are judged, take nothing from known browsers.
      const success = origin.knownBrowser === null ? account : `${account} known`;
      await requireAllowed(successes.consume(success));
      let result: Result | null = null;
      try {
        result = await judging();
        return result;
      } finally {
        await (result === null ? successes.reward(success) : forgive());
      }
    },

    /** Clears the counts of an account over all addresses, and at this one. */
    async forget(guessed: string, address: string): Promise<void> {
      const account = accountOf(guessed);
      await Promise.all([
        forgetPair(`${account} ${networksOf(address).block}`),
        accounts.delete(account),
        successes.delete(account),
      ]);
    },
  };
}

const accountOf = (guessed: string) => guessed.trim().toLowerCase();
