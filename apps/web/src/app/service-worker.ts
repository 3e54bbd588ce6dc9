import type { Language } from '../shared/i18n/language.ts';

/** Lets the browser show an offline page. Each language has its own address. */
export function startServiceWorker(language: Language): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register(`/service-worker.js?language=${language}`)
    // Everything works without it. A private window or an insecure page refuses service workers.
    .catch(() => undefined);
}
