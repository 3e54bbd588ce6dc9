import { beforeLogOut } from '../features/auth/session.ts';
import type { Language } from '../shared/i18n/language.ts';

/** Lets the browser show an offline page, and notifications. Each language has its own address. */
export function startServiceWorker(language: Language): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register(`/service-worker.js?language=${language}`)
    // Everything works without it. A private window or an insecure page refuses service workers.
    .catch(() => undefined);
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
