import type { Language } from '../shared/i18n/language.ts';

/**
 * Lets the browser show a page of ours where it has no network; in another language by another address.
 * Without it everything works, so a refusal is no failure: a private window, a page that is not secure.
 */
export function startServiceWorker(language: Language): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register(`/service-worker.js?language=${language}`)
    .catch(() => undefined);
}
