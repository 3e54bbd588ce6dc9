import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Load } from './load-process.ts';

const STANDS_WITHIN_MS = 20_000;

/** A process that puts loads on the API, one at a time. */
export interface Loader {
  /** Resolves when the load stands. */
  start(load: Load): Promise<void>;
  stop(): void;
  close(): void;
}

export function startLoader(): Loader {
  const child = fork(path.join(import.meta.dirname, 'load-process.ts'));
  return {
    async start(load) {
      child.send(load);
      await once(child, 'message', { signal: AbortSignal.timeout(STANDS_WITHIN_MS) });
    },
    stop: () => void child.send('stop'),
    close: () => void child.kill(),
  };
}
