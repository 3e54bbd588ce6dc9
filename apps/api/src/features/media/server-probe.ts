import { setTimeout as delay } from 'node:timers/promises';

/** A server that gives no good answer to two probes in succession is down: it may be busy for one. */
const PROBE_TIMEOUT_MS = 1_000;
const PROBES = 2;
const SECOND_PROBE_AFTER_MS = 200;

/** False if nothing listens at the address, or no good answer comes twice. */
export async function answers(url: string): Promise<boolean> {
  for (let probe = 0; probe < PROBES; probe += 1) {
    if (probe > 0) await delay(SECOND_PROBE_AFTER_MS);
    try {
      const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
      await body?.cancel();
      if (ok) return true;
    } catch (error) {
      const { cause } = error as Error & { readonly cause?: NodeJS.ErrnoException };
      if (cause?.code === 'ECONNREFUSED') return false;
    }
  }
  return false;
}
