import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { apiPids, mediaPid } from '../../test/running-stack.ts';
import { type Account, createAccount, enterByApi, expect, test } from '../support/journey.ts';

/**
 * The twenty browsers of a full room lose the API, then the media server, to kill -9: what arrives at the
 * server in each second while they come back. No second may see more than three quarters of the room.
 *
 * Each browser resumes a seat on /main, as after a reload, with its camera off: every connection and request
 * of a learner, without 380 pictures that no small machine can draw.
 *
 *     npm run bench:full-room-returns
 */
const LEARNERS = 20;
const ENTERING_AT_ONCE = 2;
/** No kind of arrival may come from more browsers than this within one second. */
const ARRIVALS_A_SECOND_MAX = (LEARNERS * 3) / 4;
/** The longest wait of our own before a try to reconnect is 7.5 s; a busy machine takes its time, too. */
const RETURN_DEADLINE_MS = 90_000;
/** Later tries of browsers that are not back, and what those that are load after it. */
const SETTLE_MS = 5_000;

interface Arrival {
  readonly what: string;
  readonly atMs: number;
  readonly browser: number;
}

/** Lets a page find the log-in and the seat that it would have kept over a reload. */
async function keepSeat(page: Page, account: Account, roomId: number): Promise<void> {
  const { userId, email, nickname, token } = account;
  const user = { userId, uid: email, email, nickname, profileImageUrl: 'default.jpg', title: null };
  const session = JSON.stringify({ state: { isLoggedIn: true, token, user }, version: 1 });
  const seat = JSON.stringify({ userId, roomId, isCameraOn: false });
  await page.addInitScript(
    (kept) => {
      localStorage.setItem('mogakgong.auth', kept.session);
      localStorage.setItem('mogakgong.token', kept.token);
      sessionStorage.setItem('mogakgong.seat', kept.seat);
    },
    { session, token, seat },
  );
}

/** Notes what the server answers to: requests, and WebSockets that it opened and speaks on. */
function watch(page: Page, browser: number, arrivals: Arrival[]): void {
  const note = (what: string) => arrivals.push({ what, atMs: performance.now(), browser });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) note(pathname);
  });
  page.on('websocket', (socket) => {
    const what = new URL(socket.url()).pathname.startsWith('/livekit') ? 'signalling' : 'realtime';
    socket.once('framereceived', () => note(what));
  });
}

/** The most browsers that one kind of arrival came from within any one second, by kind. */
function fullestSeconds(arrivals: readonly Arrival[]): ReadonlyMap<string, number> {
  const kinds = Map.groupBy(arrivals, ({ what }) => what);
  return new Map(
    [...kinds].map(([what, all]) => {
      const inSecondFrom = (startMs: number) =>
        new Set(
          all
            .filter(({ atMs }) => atMs >= startMs && atMs < startMs + 1_000)
            .map((each) => each.browser),
        ).size;
      return [what, Math.max(...all.map(({ atMs }) => inSecondFrom(atMs)))];
    }),
  );
}

const browsersOf = (arrivals: readonly Arrival[], what: string) =>
  new Set(arrivals.filter((each) => each.what === what).map(({ browser }) => browser)).size;

test('the browsers of a full room come back spread over time', async ({ newVisitor, stack }) => {
  test.setTimeout(600_000);
  const arrivals: Arrival[] = [];
  const enter = async (browser: number) => {
    const [page, account] = [await newVisitor(), await createAccount()];
    await keepSeat(page, account, await enterByApi(account));
    watch(page, browser, arrivals);
    await page.goto('/main');
    const isConnected = () =>
      browsersOf(
        arrivals.filter((each) => each.browser === browser),
        'signalling',
      );
    await expect.poll(isConnected, { timeout: RETURN_DEADLINE_MS }).toBe(1);
  };
  for (let first = 0; first < LEARNERS; first += ENTERING_AT_ONCE) {
    await Promise.all(Array.from({ length: ENTERING_AT_ONCE }, (_, i) => enter(first + i)));
  }

  const outages = [
    { of: 'API', pid: (await apiPids(stack))[0], back: ['realtime', 'signalling'] },
    { of: 'media server', pid: await mediaPid(stack), back: ['signalling'] },
  ];
  for (const { of, pid, back } of outages) {
    if (pid === undefined) throw new Error(`no ${of} runs`);
    arrivals.length = 0;
    const killedAtMs = performance.now();
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => back.map((what) => browsersOf(arrivals, what)), { timeout: RETURN_DEADLINE_MS })
      .toEqual(back.map(() => LEARNERS));
    const seconds = (performance.now() - killedAtMs) / 1_000;
    await delay(SETTLE_MS);
    const fullest = fullestSeconds(arrivals);
    console.log(`kill -9 of the ${of}: all ${LEARNERS} back after ${seconds.toFixed(1)} s`);
    for (const [what, browsers] of fullest) {
      const all = arrivals.filter((each) => each.what === what);
      const first = Math.min(...all.map(({ atMs }) => atMs)) - killedAtMs;
      const last = Math.max(...all.map(({ atMs }) => atMs)) - killedAtMs;
      console.log(
        `  ${what}: ${all.length}, from ${browsers} browsers in the fullest second, ` +
          `${(first / 1_000).toFixed(1)} to ${(last / 1_000).toFixed(1)} s after it`,
      );
    }
    expect(Math.max(...fullest.values())).toBeLessThanOrEqual(ARRIVALS_A_SECOND_MAX);
  }
});
