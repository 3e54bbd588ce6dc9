import { HEART_BEAT_MS } from '@mogakgong/contract';

/**
 * Beats while the tab is hidden, from a worker: browsers slow the timers of hidden tabs to one a
 * minute, and the STOMP library's own worker is made from a blob address, which the content policy
 * forbids. While the tab is visible the library's timer does. Answers how to stop.
 */
export function beatWhileHidden(beat: () => void): () => void {
  let worker: Worker | null = null;
  const follow = () => {
    if (document.visibilityState === 'hidden') {
      worker ??= startWorker(beat);
      return;
    }
    worker?.terminate();
    worker = null;
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    worker?.terminate();
    worker = null;
  };
}

/** Null where the browser refuses: the server forgives the silence of a hidden tab for a while. */
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
