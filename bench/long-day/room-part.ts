import { setTimeout as delay } from 'node:timers/promises';
import { getToday } from '@mogakgong/contract';
import { type Browser, chromium, type Page } from '@playwright/test';
import { measuredChromium } from '../../e2e/playwright.config.ts';
import {
  type Account,
  callAs,
  createAccount,
  enterFromMain,
  logInByForm,
  playOn,
  stackUrl,
} from '../../e2e/support/journey.ts';
import {
  apiPids,
  mediaPid,
  postgresPid,
  type Stack,
  startStack,
} from '../../test/running-stack.ts';
import { leavePage, openViewer, type Viewer } from '../room/viewer.ts';
import { openFiles, processTree, proportionalBytes, residentBytes } from '../support/processes.ts';
import { percentile } from '../support/statistics.ts';
import { CLOCK_ERROR, type Day, megabytes, type Sample } from './samples.ts';

const HIDDEN_SECONDS = 2;
const STATUS = '[data-own-status]';

/**
 * A learner who stays in a room of the whole product. In each round a neighbour comes or goes, another one writes,
 * the learner takes a break or ends it, and writes, hides the tab or looks at another page.
 */
export async function playRoom({ minutes, rounds, samples }: Day): Promise<Sample[]> {
  const stack = await startStack('bench-long-day');
  const viewer = await openViewer();
  const neighbours = await chromium.launch(measuredChromium);
  const { page } = viewer;
  try {
    playOn(stack);
    await logIn(page, await createAccount());
    await enterFromMain(page);
    const [comer, writer] = [await openNeighbour(neighbours), await openNeighbour(neighbours)];
    await enterFromMain(writer);
    await openChat(writer);
    const taken: Sample[] = [];
    const pressesMs: number[] = [];
    const startMs = performance.now();
    for (let round = 1; round <= rounds; round += 1) {
      await (round % 2 === 1 ? enterFromMain(comer) : leave(comer));
      await write(writer, `${round}번째 줄이에요.`);
      await useRoom(viewer, round);
      pressesMs.push(await timePress(page));
      if (round % Math.ceil(rounds / samples) === 0) {
        taken.push({
          ...(await readMemory(stack, viewer)),
          'press until it shows, ms': percentile(pressesMs.splice(0), 0.5),
          [CLOCK_ERROR]: await readClockError(page),
        });
      }
      await delay(Math.max(0, startMs + (round * minutes * 60_000) / rounds - performance.now()));
    }
    return taken;
  } finally {
    await neighbours.close();
    await viewer.close();
    await stack.stop();
  }
}

async function logIn(page: Page, account: Account): Promise<void> {
  await page.goto(`${stackUrl()}/email-login`);
  await logInByForm(page, account);
  await page.waitForURL('**/main');
}

async function openNeighbour(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'ko-KR' })).newPage();
  await logIn(page, await createAccount());
  return page;
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: '나가기' }).click();
  await page.waitForURL('**/main');
}

const openChat = (page: Page) => page.getByRole('button', { name: '채팅 열기' }).click();

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: '메시지' }).fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(text).waitFor();
}

/** One thing a round, in turn. */
async function useRoom({ page, hideDuring }: Viewer, round: number): Promise<void> {
  if (round % 3 === 0) {
    await openChat(page);
    await write(page, `${round}번째 답이에요.`);
    await page.keyboard.press('Escape');
  } else if (round % 3 === 1) {
    await hideDuring(() => delay(HIDDEN_SECONDS * 1_000));
  } else {
    const comeBack = await leavePage(page);
    await comeBack();
  }
  await page.locator(STATUS).waitFor();
}

/** From the press that begins or ends a break to its status in the bar. */
async function timePress(page: Page): Promise<number> {
  const status = await page.locator(STATUS).getAttribute('data-own-status');
  const pressedMs = performance.now();
  await page.keyboard.press('b');
  await page.locator(`${STATUS}:not([data-own-status="${status}"])`).waitFor();
  return performance.now() - pressedMs;
}

/** Seconds between today's focus as the page shows it and as the server counts it. */
async function readClockError(page: Page): Promise<number> {
  const shown = async () => {
    const text = await page.locator('.own-times [role="timer"]').first().textContent();
    return String(text)
      .split(':')
      .reduce((sum, part) => sum * 60 + Number(part), 0);
  };
  const before = await shown();
  // The page renews its token; that of the account ends after fifteen minutes.
  const token = await page.evaluate(() => localStorage.getItem('mogakgong.token') ?? '');
  const { todayStudyTime } = await callAs({ token }, getToday);
  return Math.max(0, before - todayStudyTime, todayStudyTime - (await shown()));
}

async function readMemory(stack: Stack, viewer: Viewer): Promise<Sample> {
  const [media, postgres] = await Promise.all([mediaPid(stack), postgresPid(stack)]);
  const api = await apiPids(stack);
  const sum = (ofOne: (pid: number) => number) => api.reduce((all, pid) => all + ofOne(pid), 0);
  const inspector = await viewer.page.context().newCDPSession(viewer.page);
  const heapBytes = await viewer.heapBytes();
  const { nodes, jsEventListeners } = await inspector.send('Memory.getDOMCounters');
  await inspector.detach();
  return {
    'page: heap, MB': megabytes(heapBytes),
    'page: nodes': nodes,
    'page: listeners': jsEventListeners,
    'browser: memory, MB': megabytes(proportionalBytes(viewer.pids())),
    'API: resident, MB': megabytes(sum(residentBytes)),
    'API: open files': sum(openFiles),
    'LiveKit: resident, MB': megabytes(residentBytes(media)),
    'LiveKit: open files': openFiles(media),
    'PostgreSQL: memory beside its cache, MB': megabytes(
      proportionalBytes(processTree(postgres), 'Pss_Anon'),
    ),
  };
}
