// Runs beside the pages of a logged-in learner. It keeps the files of this build, never an answer of the API, so
// that the application opens without a network; without them it answers with a page that says so (decision 140).
// It shows the notifications that the server sends (decision 139).

/** Language → HTML; filled in by the build. */
const PAGES = __OFFLINE_PAGES__;
/** Language → the files of the build that the application needs to open. */
const FILES = __FILES__;
/** Another build has another cache. */
const CACHE = 'mogakgong-__VERSION__';
/** Opens the application at any of its addresses. Stored last: with it everything is there. */
const SHELL = '/main';
/** The entry of this build, which its pages name. */
const ENTRY = '__ENTRY__';
/** Extension of a file → a part of its content type. */
const TYPES = { js: 'javascript', css: 'text/css', woff2: 'font' };
const ADDRESSES = /^\/(?:main|mypage|statistics|friends|settings|studyroom|plan|groups)(?:\/|$)/u;

/** Language → text by kind. */
const NOTICES = __NOTICES__;
/** The pages that notifications of a kind open; others bring the open page to the front. */
const PAGES_OF_KINDS = {
  friendRequest: '/friends',
  friendInvitation: '/friends',
  groupNudge: '/groups',
  decision: '/support',
};
/** Pages answer at once; one that is busy may say the same beside the notification. */
const ANSWER_MAX_MS = 500;
const language = new URL(self.location.href).searchParams.get('language');

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('message', (event) => {
  if (event.data === 'keep') event.waitUntil(keep());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(answer(event));
  else if (isKept(request)) event.respondWith(keptOrFetched(request));
});

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

/** A visible page with a live connection says it by itself. Safari demands a notification each time. */
async function show(data) {
  const { kind, name = '', groupId } = data?.json() ?? {};
  const subscription = await self.registration.pushManager.getSubscription();
  const isSafari = subscription?.endpoint.includes('.push.apple.com/') ?? false;
  if (!isSafari && (await isSaidByPage())) return;
  const texts = NOTICES[language] ?? NOTICES.ko;
  const isPhaseEnd = kind === 'focusEnd' || kind === 'breakEnd';
  await self.registration.showNotification(
    (texts[kind] ?? texts.other).replace('{{name}}', () => name),
    {
      lang: language,
      // Of the last phase alone.
      tag: isPhaseEnd ? 'pomodoro' : kind,
      icon: '/icon-192.png',
      data: { path: groupId ? `/groups/${groupId}` : PAGES_OF_KINDS[kind] },
    },
  );
}

const openPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Whether a visible page answers that notices reach it: most pages have no connection, and do not answer. */
async function isSaidByPage() {
  const pages = (await openPages()).filter((page) => page.visibilityState === 'visible');
  if (pages.length === 0) return false;
  return new Promise((resolve) => {
    for (const page of pages) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(true);
      page.postMessage('do notices reach you?', [port2]);
    }
    setTimeout(resolve, ANSWER_MAX_MS, false);
  });
}

async function open(path) {
  const [page] = await openPages();
  if (path === undefined && page) await page.focus();
  else await self.clients.openWindow(path ?? '/main');
}

function isKept({ method, url }) {
  const { origin, pathname } = new URL(url);
  return method === 'GET' && origin === self.location.origin && ownFiles().includes(pathname);
}

const ownFiles = () => FILES[language] ?? FILES.ko;

/** One after the other, when the page has time; most are in the browser's own cache. */
async function keep() {
  const cache = await caches.open(CACHE);
  for (const path of [...ownFiles(), SHELL]) {
    if (!(await kept(path))) await cache.put(path, await fetched(path));
  }
}

/** Whether an answer is of this build: a proxy may answer everything with a page of its own and status 200. */
async function isOwn(path, answer) {
  if (!answer.ok || answer.redirected) return false;
  if (path === SHELL) return (await answer.clone().text()).includes(ENTRY);
  const type = answer.headers.get('content-type') ?? '';
  return type.includes(TYPES[path.split('.').at(-1)]);
}

/** An answer of this build's cache. A page of a proxy, which earlier versions kept, is none: `keep` replaces it. */
async function kept(path) {
  const answer = await caches.match(path, { cacheName: CACHE, ignoreVary: true });
  return answer && (await isOwn(path, answer)) ? answer : undefined;
}

/** Asks the server. The browser's own cache may have the page of a proxy: then past that cache. */
async function fetched(path, request = path) {
  for (const init of [{}, { cache: 'reload' }]) {
    const answer = await fetch(request, init);
    if (await isOwn(path, answer)) return answer;
  }
  throw new TypeError(`${path} is not of this build`);
}

/** A file of /assets has the hash of its content in its name: a kept one is never old. */
async function keptOrFetched(request) {
  const path = new URL(request.url).pathname;
  const file = await kept(path);
  if (file && path.startsWith('/assets/')) return file;
  return fetched(path, request).catch((error) => file ?? Promise.reject(error));
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // The browser asks for the page while this worker starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    const shell = ADDRESSES.test(new URL(request.url).pathname) && (await kept(SHELL));
    if (shell) return shell;
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
