/** Waits before tries to reach the media server again; the last one repeats. */
const RETRY_MS = [500, 2_000, 4_000, 8_000, 15_000] as const;

/**
 * How long to wait before try number `attempt` (from 0), in ms. Half of it is chance, so that a
 * full room does not come back in one blow.
 */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const longest = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? RETRY_MS[0];
  return Math.round(longest * (0.5 + random() / 2));
}
