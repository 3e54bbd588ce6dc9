import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { journeyChromium } from '../../e2e/playwright.config.ts';
import {
  type Account,
  createAccount,
  enterFromMain,
  LIGHT_PATH,
  logInDetails,
  logInHere,
} from '../../e2e/support/journey.ts';
import { countChanges, watchPicture } from '../../e2e/support/watch-picture.ts';

/** Two learners in a room of their own, with cameras and real browsers, who look at each other. */
export interface Looks {
  readonly roomId: number;
  /** Starts to measure anew. */
  restart(): Promise<void>;
  /** The longest time without a new frame since then, in ms, of both pictures. */
  longestStillMs(): Promise<number>;
  /** Resolves when both pictures move. @throws if they do not in time. */
  untilMoving(withinMs: number): Promise<void>;
}

/** New frames by which a picture counts as moving. */
const MOVING_FRAMES = 3;
const LOOK_EVERY_MS = 50;
const SEEN_WITHIN_MS = 60_000;

/** Opens a browser whose pages come from this address, and lets two learners enter a room. */
export async function openLooks(url: string): Promise<Looks> {
  const browser = await chromium.launch(journeyChromium);
  const open = async () => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 800 },
      locale: 'ko-KR',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    });
    const [page, account] = [await context.newPage(), await createAccount()];
    await page.goto(LIGHT_PATH);
    await page.evaluate(logInHere, logInDetails(account));
    await page.goto('/main');
    return { page, account, roomId: await enterFromMain(page) };
  };
  const [one, two] = [await open(), await open()];
  if (one.roomId !== two.roomId) throw new Error('the learners with cameras are in two rooms');
  const pictures: readonly (readonly [Page, Account])[] = [
    [one.page, two.account],
    [two.page, one.account],
  ];
  let read: readonly (() => Promise<number>)[] = [];
  const looks: Looks = {
    roomId: one.roomId,
    async restart() {
      read = await Promise.all(pictures.map(([page, account]) => watchPicture(page, account)));
    },
    longestStillMs: async () => Math.max(...(await Promise.all(read.map((each) => each())))),
    async untilMoving(withinMs) {
      const endMs = performance.now() + withinMs;
      const count = () => Promise.all(pictures.map(([page]) => countChanges(page)));
      const before = await count();
      for (;;) {
        const changes = await count();
        if (changes.every((each, at) => each >= (before[at] ?? 0) + MOVING_FRAMES)) return;
        if (performance.now() > endMs) throw new Error('the pictures do not move');
        await delay(LOOK_EVERY_MS);
      }
    },
  };
  await looks.restart();
  await looks.untilMoving(SEEN_WITHIN_MS);
  return looks;
}
