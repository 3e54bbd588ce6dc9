import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { createAccount, enterFromMain, logInByForm, playOn } from '../../e2e/support/journey.ts';
import { keepFromSaving } from '../../e2e/support/saving.ts';
import { apiPids, mediaPid, startStack } from '../../test/running-stack.ts';
import { type Bots, seatBots, startBots } from '../cameras/bots.ts';
import { type Layer, ourLayers, provideClips } from '../cameras/clips.ts';
import { MEET_HELP, startMeet } from '../cameras/livekit-meet.ts';
import { machineLine } from '../support/processes.ts';
import { tableRow } from '../support/statistics.ts';
import { type Cost, leavePage, openViewer, type Viewer } from './viewer.ts';

/**
 * A full room: 19 learners with cameras (bench/bots) and one browser that looks, 1280×720. What it
 * downloads, sends and decodes, what browser, media server and API compute for it, with one tile enlarged,
 * in a hidden tab and on another page; how its heap grows. Then the same in LiveKit Meet, with our cameras
 * and with cameras as its own pages send them (VP8).
 *
 *     npm run bench:room -- [--meet FOLDER] [--seconds 60] [--heap-minutes 10]
 */
const { values: options } = parseArgs({
  options: {
    meet: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    'heap-minutes': { type: 'string', default: '10' },
  },
});
const SECONDS = Number(options.seconds);
const HEAP_MINUTES = Number(options['heap-minutes']);
const OTHERS = 19;
const SETTLE_SECONDS = 15;
/** With one tile enlarged, which is a state that passes. */
const ENLARGED_SECONDS = Math.ceil(SECONDS / 2);
/** Downloads may go on for a second after hiding; the measurement begins then. */
const GRACE_SECONDS = 1;
const HIDDEN_SECONDS = 10;
const ENLARGE_DEADLINE_MS = 5_000;

/** LiveKit Meet's page asks for these presets of livekit-client: h216, h540 and h720. */
const meetLayers: readonly Layer[] = [
  { width: 384, height: 216, framesPerSecond: 20, bitsPerSecond: 180_000 },
  { width: 960, height: 540, framesPerSecond: 25, bitsPerSecond: 800_000 },
  { width: 1280, height: 720, framesPerSecond: 30, bitsPerSecond: 1_700_000 },
];

type RoomCost = Cost<'media' | 'api'>;

interface Figures {
  readonly name: string;
  readonly look: RoomCost;
  /** Null where no tile can be enlarged. */
  readonly enlarged: RoomCost | null;
  readonly hidden: RoomCost;
  /** While the looking learner is in a break. */
  readonly inBreak: RoomCost | null;
  /** Another page of the product while the learner stays seated. */
  readonly elsewhere: RoomCost | null;
  /** Bytes of the heap, one sample a minute. */
  readonly heap: readonly number[];
}

/** A room that somebody looks at, whoever made it. */
interface LookedAt {
  readonly name: string;
  readonly viewer: Viewer;
  readonly servers: { readonly media: readonly number[]; readonly api: readonly number[] };
  /** Enlarges one of the others: a click, and what makes the tile small again. */
  readonly enlarge: () => Promise<void>;
  readonly makeSmall: () => Promise<void>;
  /** Begins a break and answers its end; null where there is none. */
  readonly takeBreak: (() => Promise<() => Promise<void>>) | null;
  /** Goes to another page and answers the way back; null where there is none. */
  readonly leavePage: (() => Promise<() => Promise<void>>) | null;
  readonly heapMinutes: number;
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

async function lookAt(room: LookedAt): Promise<Figures> {
  const { name, viewer, servers, enlarge, makeSmall, takeBreak, leavePage, heapMinutes } = room;
  const { page } = viewer;
  await untilAllPlay(page);
  await wait(SETTLE_SECONDS);
  console.error(`${name}: everybody is seen`);
  const heap = [await viewer.heapBytes()];
  const startedAtMs = performance.now();
  const look = await viewer.measure(SECONDS, servers);
  for (let minute = 1; minute <= heapMinutes; minute += 1) {
    await wait(Math.max(0, minute * 60 - (performance.now() - startedAtMs) / 1_000));
    heap.push(await viewer.heapBytes());
  }
  let enlarged: RoomCost | null = null;
  await enlarge();
  if (await isEnlarged(page)) {
    await wait(5);
    enlarged = await viewer.measure(ENLARGED_SECONDS, servers);
    await makeSmall();
  } else {
    console.error(`${name}: no tile can be enlarged`);
  }
  const hidden = await viewer.hideDuring(async () => {
    await wait(GRACE_SECONDS);
    return viewer.measure(HIDDEN_SECONDS, servers);
  });
  let inBreak: RoomCost | null = null;
  if (takeBreak !== null) {
    const endBreak = await takeBreak();
    await wait(5);
    inBreak = await viewer.measure(ENLARGED_SECONDS, servers);
    await endBreak();
  }
  let elsewhere: RoomCost | null = null;
  if (leavePage !== null) {
    await untilAllPlay(page);
    const comeBack = await leavePage();
    await wait(GRACE_SECONDS);
    elsewhere = await viewer.measure(HIDDEN_SECONDS, servers);
    await comeBack();
    await untilAllPlay(page);
  }
  return { name, look, enlarged, hidden, inBreak, elsewhere, heap };
}

/** Waits until the pictures of all others move. */
async function untilAllPlay(page: Page): Promise<void> {
  const moving = () =>
    page.evaluate(async () => {
      const videos = [...document.querySelectorAll('video')];
      const count = () => videos.map((video) => video.getVideoPlaybackQuality().totalVideoFrames);
      const before = count();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return count().filter((frames, index) => frames > (before[index] ?? 0)).length;
    });
  const deadlineMs = Date.now() + 60_000;
  // One's own picture moves as well.
  for (let seen = 0; seen < OTHERS + 1; ) {
    if (Date.now() > deadlineMs) throw new Error(`only ${seen} pictures move`);
    seen = await moving();
  }
}

/** Whether a picture becomes at least half as wide as the window within a few seconds. */
function isEnlarged(page: Page): Promise<boolean> {
  const isWide = () =>
    [...document.querySelectorAll('video')].some(
      ({ clientWidth }) => clientWidth >= window.innerWidth / 2,
    );
  return page.waitForFunction(isWide, null, { timeout: ENLARGE_DEADLINE_MS }).then(
    () => true,
    () => false,
  );
}

async function measureOurs(): Promise<Figures> {
  const stack = await startStack('bench-room');
  const viewer = await openViewer();
  let bots: Bots | null = null;
  try {
    playOn(stack);
    const clips = await provideClips(viewer.browser, ourLayers);
    bots = await startBots(await seatBots(stack, OTHERS), clips);
    const { page } = viewer;
    await page.addInitScript(keepFromSaving);
    await page.goto(`${stack.url}/email-login`);
    await logInByForm(page, await createAccount());
    await page.waitForURL('**/main');
    await enterFromMain(page);
    return await lookAt({
      name: 'mogakgong',
      viewer,
      servers: { media: [await mediaPid(stack)], api: await apiPids(stack) },
      enlarge: () => page.locator('li[data-tile-view="picture"]').nth(3).click(),
      makeSmall: () => page.keyboard.press('Escape'),
      async takeBreak() {
        await page.keyboard.press('b');
        return () => page.keyboard.press('b');
      },
      leavePage: () => leavePage(page),
      heapMinutes: HEAP_MINUTES,
    });
  } finally {
    await bots?.stop();
    await viewer.close();
    await stack.stop();
  }
}

async function measureMeet(folder: string, name: string, layers: readonly Layer[]) {
  const meet = await startMeet(folder);
  const viewer = await openViewer();
  let bots: Bots | null = null;
  try {
    const clips = await provideClips(viewer.browser, layers);
    bots = await startBots(await meet.seatBots(OTHERS), clips);
    const { page } = viewer;
    await meet.prepareJoin(page);
    await page.locator('.lk-join-button').click();
    const toggleFocus = async (tile: string) => {
      await page.locator(tile).hover();
      await page.locator(tile).locator('.lk-focus-toggle-button').click();
    };
    return await lookAt({
      name,
      viewer,
      servers: { media: [meet.mediaPid], api: [] },
      enlarge: () => toggleFocus('.lk-grid-layout .lk-participant-tile >> nth=5'),
      makeSmall: () => toggleFocus('.lk-focus-layout > .lk-participant-tile'),
      takeBreak: null,
      leavePage: null,
      heapMinutes: 0,
    });
  } finally {
    await bots?.stop();
    await viewer.close();
    await meet.stop();
  }
}

const megabits = (bits: number) => (bits / 1e6).toFixed(3);
const cores = (share: number) => share.toFixed(3);

const columns = [
  ...['room', 'down Mbit/s', 'up Mbit/s', 'frames/s decoded'],
  ...['browser, cores', "page's thread, cores", 'media server, cores', 'API, cores'],
];

function printHead(): void {
  console.log(`\n${machineLine()}; ${OTHERS} cameras, ${SECONDS} s a figure\n`);
  console.log(tableRow(...columns));
  console.log(tableRow('---', ...columns.slice(1).map(() => '---:')));
}

function printRow(name: string, cost: RoomCost): void {
  const { downBits, upBits, framesDecoded, browserCores, pageThreadCores, serverCores } = cost;
  const api = serverCores.api > 0 ? cores(serverCores.api) : '—';
  const shares = [...[browserCores, pageThreadCores, serverCores.media].map(cores), api];
  const traffic = [megabits(downBits), megabits(upBits), framesDecoded.toFixed(0)];
  console.log(tableRow(name, ...traffic, ...shares));
}

function printRows({ name, look, enlarged, hidden, inBreak, elsewhere }: Figures): void {
  printRow(name, look);
  if (enlarged) printRow(`${name}, one enlarged`, enlarged);
  printRow(`${name}, tab hidden for ${GRACE_SECONDS} s`, hidden);
  if (inBreak) printRow(`${name}, in a break`, inBreak);
  if (elsewhere) printRow(`${name}, another page for ${GRACE_SECONDS} s`, elsewhere);
}

function printRatio(ours: Figures, { name, look }: Figures): void {
  const bits = (ours.look.downBits / look.downBits).toFixed(2);
  const browser = (ours.look.browserCores / look.browserCores).toFixed(2);
  console.log(`\nours ÷ ${name}: bits ${bits}, browser ${browser}`);
}

function printHeap([first = 0, ...later]: readonly number[]): void {
  const growths = later.map((bytes) => ((bytes - first) / 1e6).toFixed(2));
  console.log(
    `\nheap ${(first / 1e6).toFixed(1)} MB; after each minute + ${growths.join(', ')} MB`,
  );
}

printHead();
const ours = await measureOurs();
printRows(ours);
if (options.meet === undefined) {
  console.error(MEET_HELP);
} else {
  const same = await measureMeet(options.meet, 'LiveKit Meet, our cameras', ourLayers);
  printRows(same);
  const own = await measureMeet(options.meet, 'LiveKit Meet, its cameras', meetLayers);
  printRows(own);
  printRatio(ours, same);
  printRatio(ours, own);
}
if (HEAP_MINUTES > 0) printHeap(ours.heap);
