import type { Camera } from './camera.ts';

/**
 * Tries a failed camera again when something that may have healed it happens: a device was plugged
 * in, the permission changed, the person came back from the system settings. Answers how to stop.
 */
export function watchForCamera(camera: Camera): () => void {
  const stop = new AbortController();
  const retry = () => {
    const state = camera.getState();
    if (state.kind === 'failed' && state.problem !== 'insecure') void camera.open();
  };
  const retryUnlessDenied = () => {
    const state = camera.getState();
    // Asking again after a refusal would open the browser's question over and over.
    if (state.kind === 'failed' && state.problem !== 'denied') retry();
  };
  navigator.mediaDevices?.addEventListener('devicechange', retryUnlessDenied, {
    signal: stop.signal,
  });
  window.addEventListener('focus', retryUnlessDenied, { signal: stop.signal });
  watchPermission(stop.signal, retry);
  return () => stop.abort();
}

/** Not every browser knows the permission's name: then the other signs have to do. */
function watchPermission(signal: AbortSignal, onGranted: () => void): void {
  navigator.permissions
    ?.query({ name: 'camera' as PermissionName })
    .then((status) => {
      if (signal.aborted) return;
      status.addEventListener('change', () => status.state === 'granted' && onGranted(), {
        signal,
      });
    })
    .catch(() => undefined);
}
