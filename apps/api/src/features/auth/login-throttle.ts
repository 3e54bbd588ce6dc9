import { loginThrottle } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { addressBlock } from '../../platform/http/index.ts';

interface PairFailures {
  count: number;
  windowStartMs: number;
  waitUntilMs: number;
}

const REMEMBERED = 50_000;

interface BlockFailures {
  count: number;
  readonly windowEndMs: number;
}

/** Forgets the oldest entry when there are too many. */
function bound(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/**
 * Slows guessing without locking anybody out: failures count per account and address block, so the
 * owner at another address never waits (design §9); and per address block over all accounts.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #allowed: number;
  readonly #allowedPerBlock: number;
  readonly #pairs = new Map<string, PairFailures>();
  readonly #blocks = new Map<string, BlockFailures>();

  /** @param scale multiplies how many failures are free. */
  constructor(clock: Clock, scale: number) {
    this.#clock = clock;
    this.#allowed = Math.max(1, Math.round(loginThrottle.freeFailures * scale));
    this.#allowedPerBlock = Math.max(1, Math.round(loginThrottle.failuresPerBlock * scale));
  }

  /** Milliseconds until this pair may try again; 0 when it may now. */
  waitMs(email: string, address: string): number {
    const nowMs = this.#clock.now().getTime();
    const pairUntilMs = this.#pairs.get(pairKey(email, address))?.waitUntilMs ?? 0;
    const block = this.#blocks.get(addressBlock(address));
    const blockUntilMs = block && block.count >= this.#allowedPerBlock ? block.windowEndMs : 0;
    return Math.max(0, pairUntilMs - nowMs, blockUntilMs - nowMs);
  }

  /** Counts an attempt before it is judged, so that a burst of parallel guesses is counted too. */
  recordAttempt(email: string, address: string): void {
    const nowMs = this.#clock.now().getTime();
    this.#recordBlock(addressBlock(address), nowMs);
    const key = pairKey(email, address);
    const known = this.#pairs.get(key);
    // Waits longer than the window must not be forgotten by it.
    const lastMs = known ? Math.max(known.windowStartMs, known.waitUntilMs) : 0;
    const isCurrent = known && nowMs - lastMs < loginThrottle.windowMs;
    const failures = isCurrent ? known : { count: 0, windowStartMs: nowMs, waitUntilMs: 0 };
    failures.count += 1;
    const excess = failures.count - this.#allowed;
    if (excess >= 0) {
      const waitMs = loginThrottle.windowMs * 2 ** Math.min(excess, 20);
      failures.waitUntilMs = nowMs + Math.min(loginThrottle.longestWaitMs, waitMs);
    }
    this.#pairs.delete(key);
    this.#pairs.set(key, failures);
    bound(this.#pairs);
  }

  /** The attempt was right: it does not count, and the pair begins anew. */
  recordSuccess(email: string, address: string): void {
    this.#pairs.delete(pairKey(email, address));
    const block = this.#blocks.get(addressBlock(address));
    if (block) block.count -= 1;
  }

  #recordBlock(key: string, nowMs: number): void {
    const known = this.#blocks.get(key);
    if (known && known.windowEndMs > nowMs) {
      known.count += 1;
      return;
    }
    this.#blocks.delete(key);
    this.#blocks.set(key, { count: 1, windowEndMs: nowMs + loginThrottle.blockWindowMs });
    bound(this.#blocks);
  }
}

function pairKey(email: string, address: string): string {
  return `${email.trim().toLowerCase()} ${addressBlock(address)}`;
}
