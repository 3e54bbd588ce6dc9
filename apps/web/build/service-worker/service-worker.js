// Runs beside the pages of a logged-in learner. When a page cannot be loaded from the network, it answers
// with a page that says so. It stores nothing: no page, no script, no API answer (decision 095).

/** Language → HTML; filled in by the build. */
const PAGES = __OFFLINE_PAGES__;
const language = new URL(self.location.href).searchParams.get('language');

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event));
});

async function activate() {
  // The browser asks for the page while this worker starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return new Response(PAGES[language] ?? PAGES.ko, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; script-src '__SCRIPT_HASH__'",
        'cache-control': 'no-store',
      },
    });
  }
}
