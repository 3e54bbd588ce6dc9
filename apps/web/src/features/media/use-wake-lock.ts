import { useEffect } from 'react';

/**
 * Keeps the screen awake while `isWanted`. Browsers drop the lock whenever the page is hidden, so it
 * is asked for again when the page comes back; where it is unknown or refused nothing happens.
 */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return;
    const stop = new AbortController();
    let lock: WakeLockSentinel | undefined;
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (stop.signal.aborted) await lock.release();
      } catch {
        // A phone that saves its battery may refuse.
      }
    };
    document.addEventListener('visibilitychange', () => void acquire(), { signal: stop.signal });
    void acquire();
    return () => {
      stop.abort();
      lock?.release().catch(() => undefined);
    };
  }, [isWanted]);
}
