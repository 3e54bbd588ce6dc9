import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { measuredChromium } from '../e2e/playwright.config.ts';
import { createAccount, logInByForm, passCameraCheck, playOn } from '../e2e/support/journey.ts';
import { startStack } from '../test/running-stack.ts';
import { type Bots, seatBots, startBots } from './cameras/bots.ts';
import { type Clip, ourLayers, provideClips } from './cameras/clips.ts';
import { MEET_HELP, type Meet, startMeet } from './cameras/livekit-meet.ts';
import { machineLine } from './support/processes.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * From the click that enters a room to the first frame of somebody else on the screen, in a real browser
 * on the real stack; and the same in LiveKit Meet, in turns. Before each click the page is loaded anew and
 * one's own picture is looked at for a moment; whoever is seen is a bot of the same clip.
 *
 *     npm run bench:join -- [--joins 20] [--meet FOLDER]
 */
const { values: options } = parseArgs({
  options: { joins: { type: 'string', default: '20' }, meet: { type: 'string' } },
});
const JOINS = Number(options.joins);
const JOIN_DEADLINE_MS = 60_000;
/** Nobody presses in the moment in which their picture appears. */
const LOOK_MS = 1_000;

/** Somewhere to join. */
interface Place {
  readonly page: Page;
  /** Up to the click that joins. */
  readonly prepare: () => Promise<void>;
  readonly join: () => Promise<void>;
  /** Finds what shows somebody else. */
  readonly picture: string;
  readonly leave: () => Promise<unknown>;
}

/** Milliseconds from the click to the first frame, and to the steps between that the page marks. */
interface Join {
  readonly firstFrameMs: number;
  readonly tokenMs: number | null;
  readonly connectedMs: number | null;
}

async function timeJoin({ page, prepare, join, picture, leave }: Place): Promise<Join> {
  await prepare();
  await page.bringToFront();
  await page.waitForTimeout(LOOK_MS);
  const timing = page.evaluate(timeFirstFrame, { picture, deadlineMs: JOIN_DEADLINE_MS });
  await join();
  const times = await timing;
  await leave();
  return times;
}

/** Runs in the page: waits for the one click to come, then for the first frame. */
function timeFirstFrame(request: { picture: string; deadlineMs: number }): Promise<Join> {
  const { picture, deadlineMs } = request;
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no frame came')), deadlineMs);
    let clickedAtMs = Number.NaN;
    const noteClick = () => {
      clickedAtMs = performance.now();
    };
    document.addEventListener('click', noteClick, { capture: true, once: true });
    const since = (mark: string) => {
      const reached = performance.getEntriesByName(mark, 'mark')[0];
      return reached === undefined ? null : reached.startTime - clickedAtMs;
    };
    const seen = new Set<Element>();
    const observer = new MutationObserver(() => {
      for (const video of document.querySelectorAll<HTMLVideoElement>(picture)) {
        if (seen.has(video)) continue;
        seen.add(video);
        video.requestVideoFrameCallback(() => {
          observer.disconnect();
          const firstFrameMs = performance.now() - clickedAtMs;
          const [tokenMs, connectedMs] = [since('room:token'), since('room:connected')];
          resolve({ firstFrameMs, tokenMs, connectedMs });
        });
      }
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

async function placeOfOurs(browser: Browser, url: string): Promise<Place> {
  const page = await (await browser.newContext({ locale: 'ko-KR' })).newPage();
  const account = await createAccount();
  await page.goto(`${url}/email-login`);
  await logInByForm(page, account);
  await page.waitForURL('**/main');
  return {
    page,
    async prepare() {
      await page.goto(`${url}/main`);
      await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
      await page.waitForFunction(() => {
        const preview = document.querySelector<HTMLVideoElement>('dialog video');
        return preview !== null && preview.videoWidth > 0 && !preview.paused;
      });
    },
    join: () => passCameraCheck(page),
    picture: `[data-participant-identity]:not([data-participant-identity="${account.userId}"]) video`,
    async leave() {
      await page.getByRole('button', { name: '나가기' }).click();
      await page.waitForURL('**/main');
    },
  };
}

async function placeOfMeet(browser: Browser, meet: Meet): Promise<Place> {
  const page = await (await browser.newContext()).newPage();
  return {
    page,
    prepare: () => meet.prepareJoin(page),
    join: () => page.locator('.lk-join-button').click(),
    picture: '[data-lk-local-participant="false"] video',
    leave: () => page.goto('about:blank'),
  };
}

/** One join of each is for what the first one downloads and compiles. */
async function joinInTurns(places: readonly Place[]): Promise<Join[][]> {
  const joins: Join[][] = places.map(() => []);
  for (let turn = 0; turn <= JOINS; turn += 1) {
    for (const [index, place] of places.entries()) {
      const join = await timeJoin(place);
      if (turn > 0) joins[index]?.push(join);
    }
  }
  return joins;
}

function printJoins(ours: readonly Join[], peers: readonly Join[]): void {
  console.log(`\n${machineLine()}\n`);
  console.log(tableRow(`click → (${JOINS} joins)`, 'p50 ms', 'p95 ms', 'max ms'));
  console.log(tableRow('---', '---:', '---:', '---:'));
  const row = (name: string, joins: readonly Join[], step: keyof Join) => {
    const samples = joins.map((join) => join[step] ?? Number.NaN);
    const rounded = [0.5, 0.95, 1].map((share) => Math.round(percentile(samples, share)));
    console.log(tableRow(name, ...rounded));
  };
  row('token', ours, 'tokenMs');
  row('connected', ours, 'connectedMs');
  row('first remote frame', ours, 'firstFrameMs');
  const median = (joins: readonly Join[]) =>
    percentile(
      joins.map(({ firstFrameMs }) => firstFrameMs),
      0.5,
    );
  if (peers.length === 0) return;
  row('first remote frame in LiveKit Meet', peers, 'firstFrameMs');
  console.log(`\nours ÷ LiveKit Meet, p50: ${(median(ours) / median(peers)).toFixed(2)}`);
}

async function run(meetFolder: string | undefined): Promise<void> {
  const stack = await startStack('bench-join');
  const browser = await chromium.launch(measuredChromium);
  const meet = meetFolder === undefined ? null : await startMeet(meetFolder);
  const allBots: Bots[] = [];
  try {
    playOn(stack);
    const clips: readonly Clip[] = await provideClips(browser, ourLayers);
    allBots.push(await startBots(await seatBots(stack, 1), clips));
    const places = [await placeOfOurs(browser, stack.url)];
    if (meet !== null) {
      allBots.push(await startBots(await meet.seatBots(1), clips));
      places.push(await placeOfMeet(browser, meet));
    }
    const [ours = [], peers = []] = await joinInTurns(places);
    printJoins(ours, peers);
  } finally {
    for (const bots of allBots) await bots.stop();
    await meet?.stop();
    await browser.close();
    await stack.stop();
  }
}

if (options.meet === undefined) console.error(MEET_HELP);
await run(options.meet);
