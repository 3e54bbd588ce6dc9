import { createHash } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { serviceWorkerSource } from '../../build/service-worker/index.ts';
import { useCurrentRoom } from '../room/live/current-room.ts';
import type { RoomLive, RoomLiveState } from '../room/live/room-live.ts';
import { answerServiceWorker } from './service-worker.ts';

type Listener = (event: unknown) => void;

const SITE = 'https://study.example';

/** A notification as the worker shows it. */
interface Shown {
  readonly tag: string;
  readonly data: { readonly path?: string };
}

/** Runs the built worker in a scope of its own; `network` answers what it fetches. */
async function startWorker(
  network: (address: string, init?: RequestInit) => Promise<Response>,
  { search = '?language=ko', files = ['/assets/a1.js'], build = 1, caches = fakeCaches() } = {},
) {
  const listeners: Record<string, Listener> = {};
  const self = {
    location: { href: `${SITE}/service-worker.js${search}`, origin: SITE },
    addEventListener: (kind: string, listener: Listener) => {
      listeners[kind] = listener;
    },
  };
  const shown: { title: string; tag: string }[] = [];
  const paths: (string | undefined)[] = [];
  const opened: string[] = [];
  const pages: ReturnType<typeof newPage>[] = [];
  Object.assign(self, {
    registration: {
      navigationPreload: undefined,
      pushManager: { getSubscription: async () => ({ endpoint: 'https://push.example/1' }) },
      showNotification: async (title: string, { tag, data }: Shown) => {
        shown.push({ title, tag });
        paths.push(data.path);
      },
    },
    clients: {
      claim: async () => undefined,
      matchAll: async () => pages,
      openWindow: async (path: string) => void opened.push(path),
    },
  });
  const source = await serviceWorkerSource(() => files, `build ${build}`);
  const get = (request: string | { url: string }, init?: RequestInit) =>
    network(new URL(typeof request === 'string' ? request : request.url, SITE).href, init);
  const scope = { self, fetch: get, caches, MessageChannel };
  new Function(...Object.keys(scope), source)(...Object.values(scope));
  /** Hands an event to the worker, until its work is done. */
  const send = async (kind: string, event: object) => {
    let work: Promise<unknown> | undefined;
    const waitUntil = (given: Promise<unknown>) => {
      work = given;
    };
    listeners[kind]?.({ ...event, waitUntil });
    await work;
  };
  const push = (message: object) => send('push', { data: { json: () => message } });
  const click = (path?: string) =>
    send('notificationclick', { notification: { close: () => undefined, data: { path } } });
  /** The worker's answer; null where it leaves the request to the browser. */
  const ask = async (mode: string, address = '/main', method = 'GET'): Promise<Response | null> => {
    let answer: Promise<Response> | null = null;
    listeners.fetch?.({
      request: { mode, method, url: new URL(address, SITE).href },
      preloadResponse: Promise.resolve(undefined),
      respondWith: (given: Promise<Response>) => {
        answer = given;
      },
    });
    return answer;
  };
  const keep = () => send('message', { data: 'keep' });
  const activate = () => send('activate', {});
  return { ask, keep, activate, caches, push, click, shown, paths, opened, pages };
}

/** An open page; a live one answers the worker. */
function newPage(visibilityState: string, { isLive = false } = {}) {
  const postMessage = vi.fn((_question: string, [port]: MessagePort[]) => {
    if (isLive) port?.postMessage(true);
    port?.close();
  });
  return { visibilityState, focus: vi.fn(), postMessage };
}

/** The browser's storage of answers, with what is necessary here. */
function fakeCaches() {
  const stored = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, entries);
    return { put: async (path: string, answer: Response) => void entries.set(path, answer) };
  };
  return {
    open,
    match: async (path: string, { cacheName }: { cacheName: string }) =>
      stored.get(cacheName)?.get(path)?.clone(),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    paths: () => [...stored.values()].flatMap((entries) => [...entries.keys()]),
  };
}

const offline = () => Promise.reject(new TypeError('offline'));

const typed = (body: string, type: string) =>
  new Response(body, { headers: { 'content-type': type } });

const redirected = (answer: Response) =>
  Object.defineProperty(answer, 'redirected', { value: true });

/** The answer of a proxy to every request while the site is under maintenance. */
const proxyPage = () => typed('We are back soon', 'text/html');

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

/** A network that answers with the path and the number of the build, until it is cut or a proxy answers. */
function newNetwork() {
  const state = { build: 1, isCut: false, isProxy: false };
  const network = async (address: string) => {
    if (state.isCut) throw new TypeError('offline');
    if (state.isProxy) return proxyPage();
    const path = new URL(address).pathname;
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html';
    return typed(`${path} of build ${state.build}`, type);
  };
  return { state, network };
}

test('the API, other methods, other sites and files that are not kept are left to the browser', async () => {
  const { network } = newNetwork();
  const { ask, keep, caches } = await startWorker(network);
  await keep();
  for (const [address, method] of [
    ['/api/user/profile', 'GET'],
    ['/ws/websocket', 'GET'],
    ['/files/picture.webp', 'GET'],
    ['/assets/other.js', 'GET'],
    ['/assets/a1.js', 'POST'],
    ['https://elsewhere.example/assets/a1.js', 'GET'],
  ] as const) {
    for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket']) {
      expect(await ask(mode, address, method)).toBeNull();
    }
  }
  expect(caches.paths()).toEqual(['/assets/a1.js', '/main']);
});

test('nothing is kept before the page asks for it', async () => {
  const { network } = newNetwork();
  const { ask, caches } = await startWorker(network);
  await ask('navigate');
  await ask('cors', '/assets/a1.js');
  expect(caches.paths()).toEqual([]);
});

test('without a network the kept application opens at its addresses, with its files', async () => {
  const { network, state } = newNetwork();
  const { ask, keep } = await startWorker(network);
  await keep();
  state.isCut = true;
  for (const address of ['/main', '/studyroom/7', '/settings/display', '/groups/7']) {
    expect(await (await ask('navigate', address))?.text()).toBe('/main of build 1');
  }
  expect(await (await ask('cors', '/assets/a1.js'))?.text()).toBe('/assets/a1.js of build 1');
  expect((await ask('navigate', '/login'))?.status).toBe(503);
});

test('an application of which a file is missing does not open', async () => {
  const { network, state } = newNetwork();
  const { ask, keep } = await startWorker(async (address) =>
    address.endsWith('a1.js') ? new Response(null, { status: 404 }) : network(address),
  );
  await expect(keep()).rejects.toThrow();
  state.isCut = true;
  expect((await ask('navigate'))?.status).toBe(503);
});

test('after a deployment the new page is answered at once, and the old build is deleted', async () => {
  const { network, state } = newNetwork();
  const before = await startWorker(network);
  await before.keep();
  state.build = 2;
  expect(await (await before.ask('navigate'))?.text()).toBe('/main of build 2');
  const { caches } = before;
  const after = await startWorker(network, { files: ['/assets/a2.js'], build: 2, caches });
  await after.activate();
  expect(after.caches.paths()).toEqual([]);
  await after.keep();
  expect(after.caches.paths()).toEqual(['/assets/a2.js', '/main']);
});

test('a file without a hash in its name comes from the network while there is one', async () => {
  const { network, state } = newNetwork();
  const { ask, keep } = await startWorker(network, { files: ['/theme.js'] });
  await keep();
  state.build = 2;
  expect(await (await ask('no-cors', '/theme.js'))?.text()).toBe('/theme.js of build 2');
  state.isCut = true;
  expect(await (await ask('no-cors', '/theme.js'))?.text()).toBe('/theme.js of build 1');
});

describe('a page that a proxy answers to everything', () => {
  const files = ['/theme.js', '/assets/a1.js', '/assets/a1.css', '/assets/a1.woff2'];

  test('is kept as no file, and all are kept once the proxy is gone', async () => {
    const { network, state } = newNetwork();
    const { keep, caches } = await startWorker(network, { files });
    state.isProxy = true;
    await expect(keep()).rejects.toThrow();
    expect(caches.paths()).toEqual([]);
    state.isProxy = false;
    await keep();
    expect(caches.paths()).toEqual([...files, '/main']);
  });

  test.each([
    ['the page of a proxy', async () => proxyPage()],
    ['a page of another build', async () => typed('/main of build 2', 'text/html')],
    ['a page after a redirect', async () => redirected(typed('/login of build 1', 'text/html'))],
  ])('%s is not kept as the application', async (_, shell) => {
    const { network } = newNetwork();
    const { keep, caches } = await startWorker(async (address) =>
      address.endsWith('/main') ? shell() : network(address),
    );
    await expect(keep()).rejects.toThrow();
    expect(caches.paths()).toEqual(['/assets/a1.js']);
  });

  test('that an earlier version has kept is neither file nor application, and is replaced', async () => {
    const { network, state } = newNetwork();
    const { ask, keep, caches } = await startWorker(network);
    await keep();
    const [name = ''] = await caches.keys();
    const cache = await caches.open(name);
    await cache.put('/assets/a1.js', proxyPage());
    await cache.put('/main', proxyPage());
    expect(await (await ask('cors', '/assets/a1.js'))?.text()).toBe('/assets/a1.js of build 1');
    state.isCut = true;
    expect((await ask('navigate'))?.status).toBe(503);
    state.isCut = false;
    await keep();
    state.isCut = true;
    expect(await (await ask('cors', '/assets/a1.js'))?.text()).toBe('/assets/a1.js of build 1');
    expect(await (await ask('navigate'))?.text()).toBe('/main of build 1');
  });

  test('gives way to the kept file, and in the browser’s own cache to the server’s', async () => {
    const { network, state } = newNetwork();
    const { ask, keep } = await startWorker(
      async (address, init) => (init?.cache === 'reload' ? network(address) : proxyPage()),
      { files: ['/theme.js'] },
    );
    await keep();
    state.isProxy = true;
    expect(await (await ask('no-cors', '/theme.js'))?.text()).toBe('/theme.js of build 1');
  });
});

test.each([
  ['?language=ko', '페이지에 연결할 수 없어요', '<html lang="ko">'],
  ['?language=en', 'The page cannot be reached', '<html lang="en">'],
  ['?language=xx', '페이지에 연결할 수 없어요', '<html lang="ko">'],
])(
  'without a network the page of %s says so and runs its one script alone',
  async (search, text, html) => {
    const { ask } = await startWorker(offline, { search });
    const answer = await ask('navigate');
    expect(answer?.status).toBe(503);
    const policy = answer?.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'/u);
    const page = await answer?.text();
    expect(page).toContain(text);
    expect(page).toContain(html);
    expect(page).not.toContain('{{');
    const script = /<script>(.*)<\/script>/u.exec(page ?? '')?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
  },
);

test('a notification is shown in the language of the page, the latest phase alone', async () => {
  const { push, shown, paths } = await startWorker(offline, { search: '?language=en' });
  await push({ kind: 'breakEnd' });
  await push({ kind: 'groupSession', name: 'Morning $&', groupId: 7 });
  await push({ kind: 'of a newer server' });
  expect(shown).toEqual([
    { title: 'The break is over. Time to focus again.', tag: 'pomodoro' },
    { title: 'The session of the group ‘Morning $&’ begins soon.', tag: 'groupSession' },
    { title: 'There is news in Mogakgong.', tag: 'of a newer server' },
  ]);
  expect(paths).toEqual([undefined, '/groups/7', undefined]);
});

test('a nudge and an invitation name no learner, and lead to where they are answered', async () => {
  const { push, shown, paths } = await startWorker(offline);
  await push({ kind: 'groupNudge', name: '새벽반' });
  await push({ kind: 'friendInvitation' });
  expect(shown.map(({ title }) => title)).toEqual([
    '‘새벽반’ 그룹에서 기다리고 있어요.',
    '친구가 지금 있는 방으로 초대했어요.',
  ]);
  expect(paths).toEqual(['/groups', '/friends']);
});

test('a visible page that notices reach says it by itself', async () => {
  const { push, shown, pages } = await startWorker(offline);
  pages.push(newPage('visible'), newPage('visible', { isLive: true }));
  await push({ kind: 'breakEnd' });
  expect(shown).toEqual([]);
  pages.splice(0, 2, newPage('hidden', { isLive: true }));
  await push({ kind: 'breakEnd' });
  expect(shown).toHaveLength(1);
  expect(pages[0]?.postMessage).not.toHaveBeenCalled();
});

test('visible pages without a connection say nothing: it is shown', async () => {
  const { push, shown, pages } = await startWorker(offline);
  pages.push(newPage('visible'));
  await push({ kind: 'friendRequest' });
  expect(shown).toHaveLength(1);
});

test('a press on a notification opens its page, or brings the open one to the front', async () => {
  const { click, opened, pages } = await startWorker(offline);
  await click();
  const page = newPage('hidden');
  pages.push(page);
  await click();
  expect(page.focus).toHaveBeenCalledOnce();
  await click('/friends');
  expect(opened).toEqual(['/main', '/friends']);
});

test.each([
  [true, 1],
  [false, 0],
])('a page answers the worker where notices reach it: %s', (isLive, answers) => {
  const serviceWorker = new EventTarget();
  const withWorker = Object.create(navigator, { serviceWorker: { value: serviceWorker } });
  vi.stubGlobal('navigator', withWorker);
  const store = createStore(() => ({ isLive }) as RoomLiveState);
  useCurrentRoom.setState({ live: { store } as RoomLive });
  const port = { postMessage: vi.fn() };
  const ask = () =>
    serviceWorker.dispatchEvent(Object.assign(new Event('message'), { ports: [port] }));
  const stop = answerServiceWorker();
  ask();
  expect(port.postMessage).toHaveBeenCalledTimes(answers);
  stop();
  ask();
  expect(port.postMessage).toHaveBeenCalledTimes(answers);
  useCurrentRoom.setState({ live: null });
});
