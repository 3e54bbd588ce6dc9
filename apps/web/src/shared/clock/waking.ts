/** Triggered by `wakeAfterJump`. */
const jumps = new EventTarget();

/**
 * Calls back when the page may have missed time: it is shown again, leaves the browser's cache, thaws, is
 * online again, or this computer's clock has jumped. Returns a cleanup function.
 */
export function onWake(listener: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const whenVisible = () => document.visibilityState === 'visible' && listener();
  document.addEventListener('visibilitychange', whenVisible, { signal });
  document.addEventListener('resume', listener, { signal });
  window.addEventListener('pageshow', listener, { signal });
  window.addEventListener('online', listener, { signal });
  jumps.addEventListener('jump', listener, { signal });
  return () => stop.abort();
}

/** Calls the listeners back after a jump of this computer's clock. */
export function wakeAfterJump(): void {
  jumps.dispatchEvent(new Event('jump'));
}
