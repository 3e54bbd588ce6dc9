import { isIPv6 } from 'node:net';
import { loginThrottle } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';

interface Failures {
  count: number;
  windowStartMs: number;
  waitUntilMs: number;
}

const REMEMBERED_PAIRS = 50_000;

/** The neighbours that share an attacker's address: /24 of IPv4, /64 of IPv6. */
function addressBlock(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/u, '');
  if (!isIPv6(mapped)) return mapped.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = mapped.split('::');
  const groups = head.split(':');
  if (mapped.includes('::')) {
    const missing = 8 - groups.length - tail.split(':').length;
    groups.push(...Array.from({ length: Math.max(0, missing) }, () => '0'), ...tail.split(':'));
  }
  return groups.slice(0, 4).join(':');
}

/**
 * Slows guessing without locking anybody out: failures count per account and address block, so the
 * owner at another address never waits (design §9).
 */
export function createLoginThrottle(clock: Clock, scale: number) {
  const { freeFailures, windowMs, longestWaitMs } = loginThrottle;
  const allowed = Math.max(1, Math.round(freeFailures * scale));
  const pairs = new Map<string, Failures>();
  const keyOf = (email: string, address: string) =>
    `${email.trim().toLowerCase()} ${addressBlock(address)}`;

  return {
    /** Milliseconds until this pair may try again; 0 when it may now. */
    waitMs(email: string, address: string): number {
      const failures = pairs.get(keyOf(email, address));
      return Math.max(0, (failures?.waitUntilMs ?? 0) - clock.now().getTime());
    },

    recordFailure(email: string, address: string): void {
      const key = keyOf(email, address);
      const nowMs = clock.now().getTime();
      const known = pairs.get(key);
      // Waits longer than the window must not be forgotten by it.
      const isCurrent =
        known && nowMs - Math.max(known.windowStartMs, known.waitUntilMs) < windowMs;
      const failures = isCurrent ? known : { count: 0, windowStartMs: nowMs, waitUntilMs: 0 };
      failures.count += 1;
      const excess = failures.count - allowed;
      if (excess >= 0) {
        failures.waitUntilMs =
          nowMs + Math.min(longestWaitMs, windowMs * 2 ** Math.min(excess, 20));
      }
      pairs.delete(key);
      pairs.set(key, failures);
      const [oldest] = pairs.keys();
      if (pairs.size > REMEMBERED_PAIRS && oldest !== undefined) pairs.delete(oldest);
    },

    recordSuccess(email: string, address: string): void {
      pairs.delete(keyOf(email, address));
    },
  };
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
