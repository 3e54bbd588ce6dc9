import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Load } from './load-process.ts';

const STANDS_WITHIN_MS = 20_000;

/** Puts a load on the API; resolves when it stands, with how to end it. */
export async function startLoad(load: Load): Promise<() => void> {
  const child = fork(path.join(import.meta.dirname, 'load-process.ts'));
  child.send(load);
  const end = () => void child.kill('SIGKILL');
  try {
    await once(child, 'message', { signal: AbortSignal.timeout(STANDS_WITHIN_MS) });
  } catch (error) {
    end();
    throw error;
  }
  return end;
}
