import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { apiPids, mediaPid } from '../../test/running-stack.ts';
import { enterFromMain, expect, test } from '../support/journey.ts';

/**
 * The twenty browsers of a full room lose the API, then the media server, to kill -9: what arrives at the
 * server in each second while they come back. No second may see more than half of the room.
 *
 *     npm run bench:full-room-returns
 */
const LEARNERS = 20;
const ENTERING_AT_ONCE = 4;
/** No kind of arrival may come from more browsers than this within one second. */
const ARRIVALS_A_SECOND_MAX = LEARNERS / 2;
/** The longest wait of our own before a try to reconnect is 7.5 s; a busy machine takes its time, too. */
const RETURN_DEADLINE_MS = 90_000;
/** Later tries of browsers that are not back, and what those that are load after it. */
const SETTLE_MS = 5_000;

interface Arrival {
  readonly what: string;
  readonly atMs: number;
  readonly browser: number;
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

test('the browsers of a full room come back spread over time', async ({ newLearner, stack }) => {
  test.setTimeout(600_000);
  const arrivals: Arrival[] = [];
  const enter = async (browser: number) => {
    const { page } = await newLearner();
    await enterFromMain(page);
    // The room lives above the pages; without tiles no machine has to draw 380 pictures.
    await page.getByRole('link', { name: '스터디룸', exact: true }).click();
    await page.waitForURL('/main');
    watch(page, browser, arrivals);
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
      const all = arrivals.filter((each) => each.what === what).length;
      console.log(`  ${what}: ${all}, from ${browsers} browsers in the fullest second`);
    }
    expect(Math.max(...fullest.values())).toBeLessThanOrEqual(ARRIVALS_A_SECOND_MAX);
  }
});
