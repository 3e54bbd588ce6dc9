import { beforeLogOut } from '../features/auth/session.ts';
import { useCurrentRoom } from '../room/live/current-room.ts';
import type { Language } from '../shared/i18n/language.ts';

/** Lets the browser show an offline page, and notifications. Each language has its own address. */
export function startServiceWorker(language: Language): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register(`/service-worker.js?language=${language}`)
    // Everything works without it. A private window or an insecure page refuses service workers.
    .catch(() => undefined);
}

/**
 * Answers the service worker, which asks before it shows a notification, where this page says the same by itself:
 * notices reach it (decision 139). Returns a cleanup function.
 */
export function answerServiceWorker(): () => void {
  const answer = ({ ports: [port] }: MessageEvent) => {
    if (useCurrentRoom.getState().live?.store.getState().isLive) port?.postMessage(true);
  };
  navigator.serviceWorker?.addEventListener('message', answer);
  return () => navigator.serviceWorker?.removeEventListener('message', answer);
}

/** The browser forgets its subscription and the kept files with the log-in, as the server forgets the browser. */
export function endWithLogIn(): () => void {
  return beforeLogOut(async () => {
    if ('caches' in window) {
      for (const name of await caches.keys()) await caches.delete(name);
    }
    const registration = await navigator.serviceWorker?.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    await subscription?.unsubscribe();
  });
}
