import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { serviceWorkerSource } from '../../build/service-worker/index.ts';

type Listener = (event: unknown) => void;

/** Runs the built worker in a scope of its own; `network` answers what it fetches. */
async function startWorker(network: () => Promise<Response>, search = '?language=ko') {
  const listeners: Record<string, Listener> = {};
  const caches = { open: vi.fn(), match: vi.fn() };
  const self = {
    location: { href: `https://study.example/service-worker.js${search}` },
    addEventListener: (kind: string, listener: Listener) => {
      listeners[kind] = listener;
    },
  };
  const shown: { title: string; tag: string }[] = [];
  const opened: string[] = [];
  const pages: { visibilityState: string; focus: () => void }[] = [];
  Object.assign(self, {
    registration: {
      pushManager: { getSubscription: async () => ({ endpoint: 'https://push.example/1' }) },
      showNotification: async (title: string, { tag }: { tag: string }) =>
        void shown.push({ title, tag }),
    },
    clients: {
      matchAll: async () => pages,
      openWindow: async (path: string) => void opened.push(path),
    },
  });
  new Function('self', 'fetch', 'caches', await serviceWorkerSource())(self, network, caches);
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
  const ask = async (mode: string): Promise<Response | null> => {
    let answer: Promise<Response> | null = null;
    listeners.fetch?.({
      request: { mode },
      preloadResponse: Promise.resolve(undefined),
      respondWith: (given: Promise<Response>) => {
        answer = given;
      },
    });
    return answer;
  };
  return { ask, caches, push, click, shown, opened, pages };
}

const offline = () => Promise.reject(new TypeError('offline'));

test('only page requests are handled: the API, scripts and pictures are left to the browser', async () => {
  const { ask } = await startWorker(async () => new Response('page'));
  for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket']) {
    expect(await ask(mode)).toBeNull();
  }
});

test('after a deployment the new page is answered, and no page is ever stored', async () => {
  let build = 1;
  const { ask, caches } = await startWorker(async () => new Response(`build ${build}`));
  expect(await (await ask('navigate'))?.text()).toBe('build 1');
  build = 2;
  expect(await (await ask('navigate'))?.text()).toBe('build 2');
  expect(caches.open).not.toHaveBeenCalled();
  expect(caches.match).not.toHaveBeenCalled();
});

test.each([
  ['?language=ko', '페이지에 연결할 수 없어요', '<html lang="ko">'],
  ['?language=en', 'The page cannot be reached', '<html lang="en">'],
  ['?language=xx', '페이지에 연결할 수 없어요', '<html lang="ko">'],
])(
  'without a network the page of %s says so and runs its one script alone',
  async (search, text, html) => {
    const { ask } = await startWorker(offline, search);
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
  const { push, shown } = await startWorker(offline, '?language=en');
  await push({ kind: 'breakEnd' });
  await push({ kind: 'groupSession', name: 'Morning' });
  await push({ kind: 'of a newer server' });
  expect(shown).toEqual([
    { title: 'The break is over. Time to focus again.', tag: 'pomodoro' },
    { title: 'Morning: the session begins soon.', tag: 'groupSession' },
    { title: 'There is news in Mogakgong.', tag: 'of a newer server' },
  ]);
});

test('a visible page says it by itself', async () => {
  const { push, shown, pages } = await startWorker(offline);
  const focus = () => undefined;
  pages.push({ visibilityState: 'visible', focus });
  await push({ kind: 'breakEnd' });
  expect(shown).toEqual([]);
  pages.splice(0, 1, { visibilityState: 'hidden', focus });
  await push({ kind: 'breakEnd' });
  expect(shown).toHaveLength(1);
});

test('a press on a notification opens its page, or brings the open one to the front', async () => {
  const { click, opened, pages } = await startWorker(offline);
  await click();
  const focus = vi.fn();
  pages.push({ visibilityState: 'hidden', focus });
  await click();
  expect(focus).toHaveBeenCalledOnce();
  await click('/friends');
  expect(opened).toEqual(['/main', '/friends']);
});
