import { HEART_BEAT_MS } from '@mogakgong/contract';

/**
 * Calls `beat` every 4 s from a worker while the tab is hidden, until `signal` aborts: browsers limit timers
 * of hidden tabs to one a minute. The STOMP library would create its worker from a blob address, which the
 * content policy forbids. While the tab is visible the library's timer is used.
 */
export function beatWhileHidden(beat: () => void, signal: AbortSignal): void {
  let worker: Worker | null = null;
  const follow = () => {
    worker?.terminate();
    worker = document.visibilityState === 'hidden' && !signal.aborted ? startWorker(beat) : null;
  };
  document.addEventListener('visibilitychange', follow, { signal });
  signal.addEventListener('abort', follow);
  follow();
}

/** Null where the browser refuses: the server tolerates the silence of a hidden tab for a while. */
function startWorker(beat: () => void): Worker | null {
  try {
    const worker = new Worker(new URL('./heart-beat-worker.ts', import.meta.url), {
      type: 'module',
      name: 'heart-beat',
    });
    worker.onmessage = beat;
    worker.postMessage(HEART_BEAT_MS);
    return worker;
  } catch {
    return null;
  }
}
