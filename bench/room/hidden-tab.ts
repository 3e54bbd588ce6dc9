import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import puppeteer, { type Page } from 'puppeteer-core';
import { measuredChromium } from '../../e2e/playwright.config.ts';
import { createAccount, PASSWORD, playOn } from '../../e2e/support/journey.ts';
import { keepFromSaving } from '../../e2e/support/saving.ts';
import { startStack } from '../../test/running-stack.ts';
import { type Bots, seatBots, startBots } from '../cameras/bots.ts';
import { ourLayers, provideClips } from '../cameras/clips.ts';
import { cpuSeconds, machineLine, processTree } from '../support/processes.ts';
import { tableRow } from '../support/statistics.ts';

/**
 * A full room whose tab is really hidden, behind another one of its window: processor time of the browser, while
 * the learner's own camera goes on. Playwright keeps all its pages visible; here nothing does. With `--windows` also
 * behind another window, and minimised, which needs a display with a window manager (`Xvfb :9`, `openbox`).
 *
 *     npm run bench:hidden-tab -- [--seconds 30] [--windows]
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    windows: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(options.seconds);
const OTHERS = 19;
const SETTLE_MS = 15_000;
/** Downloads may go on for a second after hiding; the measurement begins then. */
const GRACE_MS = 1_000;
const GOAL_CORES = 0.09;
/** Puppeteer's own: with them a hidden tab goes on as if it were seen. */
const KEEPING_AWAKE = [
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
];

const { executablePath, args } = measuredChromium;
const browser = await puppeteer.launch({
  executablePath,
  headless: !options.windows,
  args: [...args, '--accept-lang=ko-KR'],
  defaultViewport: { width: 1280, height: 720 },
  ignoreDefaultArgs: KEEPING_AWAKE,
});
const stack = await startStack('bench-hidden-tab');

/** Logs in by the form and takes a seat. */
async function enterRoom(page: Page): Promise<void> {
  const { email } = await createAccount();
  await page.evaluateOnNewDocument(keepFromSaving);
  await page.goto(`${stack.url}/email-login`);
  await page.locator('input[type=email]:enabled').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('aria/스터디룸 입장하기').click();
  await page.locator('dialog ::-p-aria(입장하기)').click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('video').length === count,
    { timeout: 60_000 },
    OTHERS + 1,
  );
}

/** Opens a window as large as the first, in front of it. */
async function coverByWindow(): Promise<void> {
  const inspector = await browser.target().createCDPSession();
  await inspector.send('Target.createTarget', { url: 'about:blank', newWindow: true });
}

/** Of the page's window. */
async function setWindowState(page: Page, windowState: 'minimized' | 'normal'): Promise<void> {
  const inspector = await page.createCDPSession();
  const { windowId } = await inspector.send('Browser.getWindowForTarget');
  await inspector.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
}

/** Processor seconds of all processes of the browser, in a second. */
async function measureCores(): Promise<number> {
  const pids = () => processTree(browser.process()?.pid ?? 0);
  const [before, startMs] = [cpuSeconds(pids()), performance.now()];
  await delay(SECONDS * 1_000);
  return (cpuSeconds(pids()) - before) / ((performance.now() - startMs) / 1_000);
}

let bots: Bots | undefined;
try {
  playOn(stack);
  const encoder = await chromium.launch(measuredChromium);
  const clips = await provideClips(encoder, ourLayers);
  await encoder.close();
  bots = await startBots(await seatBots(stack, OTHERS), clips);
  const room = await browser.newPage();
  await enterRoom(room);
  await delay(SETTLE_MS);
  const seen = await measureCores();
  const figures: [string, number][] = [['in front', seen]];
  const measure = async (name: string) => {
    await delay(GRACE_MS);
    const state = await room.evaluate(() => document.visibilityState);
    figures.push([`${name} (${state})`, await measureCores()]);
  };
  const other = await browser.newPage();
  await other.bringToFront();
  await room.waitForFunction(() => document.visibilityState === 'hidden', { polling: 100 });
  await measure('behind another tab');
  if (options.windows) {
    await other.close();
    await room.bringToFront();
    await coverByWindow();
    await measure('behind another window');
    await setWindowState(room, 'minimized');
    await measure('minimised');
  }
  console.log(`${machineLine()}; ${OTHERS} cameras, ${SECONDS} s a figure\n`);
  console.log(tableRow('the tab of a full room', 'browser, cores'));
  console.log(tableRow('---', '---:'));
  for (const [name, cores] of figures) {
    console.log(tableRow(name, cores.toFixed(3)));
    if (name.includes('hidden') && cores > GOAL_CORES) process.exitCode = 1;
  }
} finally {
  await bots?.stop();
  await browser.close();
  await stack.stop();
}
