import { useEffect } from 'react';

/**
 * Keeps the screen awake while `isWanted`. Browsers drop the lock whenever the page is hidden, so it is
 * requested again when the page comes back; where it is unsupported or refused nothing happens.
 * @param view the window that must be visible: this one, or one that it has opened.
 */
export function useWakeLock(isWanted: boolean, view: Window = window): void {
  useEffect(() => {
    const { document, navigator } = view;
    if (!isWanted || !('wakeLock' in navigator)) return;
    const stop = new AbortController();
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    const acquire = () => {
      if (document.visibilityState !== 'visible') return;
      // A phone in battery saver may refuse.
      lock = navigator.wakeLock.request('screen').catch(() => undefined);
    };
    document.addEventListener('visibilitychange', acquire, { signal: stop.signal });
    acquire();
    return () => {
      stop.abort();
      // The browser has released it.
      lock?.then((held) => held?.release()).catch(() => undefined);
    };
  }, [isWanted, view]);
}
