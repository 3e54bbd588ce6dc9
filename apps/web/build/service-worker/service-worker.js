// Runs beside the pages of a logged-in learner. When a page cannot be loaded from the network, it answers
// with a page that says so. It stores nothing: no page, no script, no API answer (decision 095). It shows the
// notifications that the server sends (decision 139).

/** Language → HTML; filled in by the build. */
const PAGES = __OFFLINE_PAGES__;
/** Language → text by kind. */
const NOTICES = __NOTICES__;
/** The pages that notifications of a kind open; others bring the open page to the front. */
const PAGES_OF_KINDS = { friendRequest: '/friends', decision: '/support' };
const language = new URL(self.location.href).searchParams.get('language');

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event));
});

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

/** A visible page says it by itself. Safari demands a notification each time. */
async function show(data) {
  const { kind, name = '' } = data?.json() ?? {};
  const subscription = await self.registration.pushManager.getSubscription();
  const isSafari = subscription?.endpoint.includes('.push.apple.com/') ?? false;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!isSafari && pages.some((page) => page.visibilityState === 'visible')) return;
  const texts = NOTICES[language] ?? NOTICES.ko;
  const isBell = kind === 'focusEnd' || kind === 'breakEnd';
  await self.registration.showNotification((texts[kind] ?? texts.other).replace('{{name}}', name), {
    lang: language,
    // Of the last phase alone.
    tag: isBell ? 'pomodoro' : kind,
    icon: '/icon-192.png',
    data: { path: PAGES_OF_KINDS[kind] },
  });
}

async function open(path) {
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (path === undefined && page) await page.focus();
  else await self.clients.openWindow(path ?? '/main');
}

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
