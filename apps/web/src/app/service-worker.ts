import type { Language } from '../shared/i18n/language.ts';

/**
 * Lets the browser show a page of ours where it has no network; in another language by another address.
 */
export function startServiceWorker(language: Language): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register(`/service-worker.js?language=${language}`)
    // Everything works without it. A private window or an insecure page refuses it.
    .catch(() => undefined);
}
