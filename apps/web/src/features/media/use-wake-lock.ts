import { useEffect } from 'react';

/**
 * Keeps the screen awake while `isWanted`. Browsers drop the lock whenever the page is hidden, so it
 * is asked for again when the page comes back; where it is unknown or refused nothing happens.
 */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return;
    const stop = new AbortController();
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    const acquire = () => {
      if (document.visibilityState !== 'visible') return;
      // A phone that saves its battery may refuse.
      lock = navigator.wakeLock.request('screen').catch(() => undefined);
    };
    document.addEventListener('visibilitychange', acquire, { signal: stop.signal });
    acquire();
    return () => {
      stop.abort();
      lock?.then((held) => held?.release()).catch(() => undefined);
    };
  }, [isWanted]);
}
