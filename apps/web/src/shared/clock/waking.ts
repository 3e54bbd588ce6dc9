import { distrustServerClock } from './server-clock.ts';

/** A jump of this computer's clock beyond this was no drift: it slept, or somebody set it. */
const JUMP_MS = 1_500;

type Listener = () => void;

/** Difference between the clock on the wall and the one that only counts. */
function wallAheadMs(): number {
  return Date.now() - performance.now();
}

/**
 * Calls back when the page may have missed time: it is shown again, comes out of the browser's store,
 * thaws, or has network again. Returns a cleanup function.
 */
export function onWake(listener: Listener): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const whenVisible = () => document.visibilityState === 'visible' && listener();
  document.addEventListener('visibilitychange', whenVisible, { signal });
  document.addEventListener('resume', listener, { signal });
  window.addEventListener('pageshow', listener, { signal });
  window.addEventListener('online', listener, { signal });
  jumpListeners.add(listener);
  return () => {
    stop.abort();
    jumpListeners.delete(listener);
  };
}

const jumpListeners = new Set<Listener>();
let lastWallAheadMs = wallAheadMs();

/** Takes the clocks as they are now for right: jumps are looked for from here. */
export function beginWatchingJumps(): void {
  lastWallAheadMs = wallAheadMs();
}

/** Asked once a second: tells those who wait for it when this computer's clock has jumped. */
export function checkForJump(): void {
  const aheadMs = wallAheadMs();
  const hasJumped = Math.abs(aheadMs - lastWallAheadMs) > JUMP_MS;
  lastWallAheadMs = aheadMs;
  if (!hasJumped) return;
  distrustServerClock();
  for (const listener of [...jumpListeners]) listener();
}
