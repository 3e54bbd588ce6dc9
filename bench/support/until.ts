import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** Waits for a condition, which is asked ten times a second; after a minute it fails and names it. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error(`waited too long for ${what}`);
    await delay(100);
  }
}
