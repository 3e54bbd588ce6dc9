import { RECONNECT_DELAY_MAX_MS, RECONNECT_DELAY_MS } from '@mogakgong/contract';

/**
 * How long to wait before try number `attempt` (from 0) to connect again, in ms: 5 s (specification
 * §9), doubled up to 30 s, times 0.5 to 1.5 by chance, so that a whole room does not come back in one
 * blow.
 */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const plainMs = Math.min(RECONNECT_DELAY_MS * 2 ** attempt, RECONNECT_DELAY_MAX_MS);
  return Math.round(plainMs * (0.5 + random()));
}
