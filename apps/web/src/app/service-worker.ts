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

/** The server forgets this browser with the log-in; the browser forgets its subscription as well. */
export function endPushWithLogIn(): () => void {
  return beforeLogOut(async () => {
    const registration = await navigator.serviceWorker?.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    await subscription?.unsubscribe();
  });
}
