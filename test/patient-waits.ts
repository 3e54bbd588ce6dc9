import { vi } from 'vitest';

/** How long a test waits for a condition, in ms: the default, one second, is too short on a busy machine. */
const PATIENCE_MS = 10_000;

const { waitFor } = vi;
vi.waitFor = (condition, options) =>
  waitFor(
    condition,
    typeof options === 'object' ? { timeout: PATIENCE_MS, ...options } : (options ?? PATIENCE_MS),
  );
