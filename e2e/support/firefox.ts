import type { BrowserContext, Page } from 'puppeteer-core';
import { firefoxPath } from './firefox-browser.ts';
import {
  type Account,
  countFrames,
  createAccount,
  expect,
  FRAME_DEADLINE_MS,
  LIGHT_PATH,
  logInDetails,
  logInHere,
  test as withChromium,
} from './journey.ts';

/** Firefox reports a WebSocket that fails as an error of the page. */
const LOST_SOCKET =
  /^Firefox can’t establish a connection|was interrupted while the page was loading/u;

interface JourneyFixtures {
  /** A learner in Firefox, logged in, on /main; the site is opened at this address, or its own. */
  readonly newFirefoxLearner: (
    address?: string,
  ) => Promise<{ readonly page: Page; readonly account: Account }>;
}

/**
 * Journeys with a learner in Debian's Firefox beside those in Chromium. Skipped where there is no Firefox.
 */
export const test = withChromium.extend<JourneyFixtures>({
  newFirefoxLearner: async ({ firefox, url }, use) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use(async (address = url) => {
      const [context, account] = await Promise.all([
        firefox.createBrowserContext(),
        createAccount(),
      ]);
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        const message = error instanceof Error ? error.message : String(error);
        if (!LOST_SOCKET.test(message)) faults.push(message);
      });
      await page.setViewport({ width: 1280, height: 800 });
      await page.goto(address + LIGHT_PATH);
      await page.evaluate(logInHere, logInDetails(account));
      await page.goto(`${address}/main`);
      return { page, account };
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults).toEqual([]);
  },
});

test.skip(firefoxPath === undefined, 'there is no Firefox');

const untilPath = (page: Page, path: RegExp) =>
  expect.poll(() => new URL(page.url()).pathname, { timeout: 30_000 }).toMatch(path);

/** Presses the button of this name once it can be pressed. */
export const press = (page: Page, name: string) =>
  page.locator(`::-p-aria([name="${name}"][role="button"])`).click();

/** Waits until a text is shown. */
export const seeText = async (page: Page, text: string) => {
  await page.locator(`::-p-text(${text})`).setTimeout(30_000).wait();
};

/** Passes the camera check into the room. */
export async function passCameraCheck(page: Page): Promise<void> {
  await press(page, '입장하기');
  await untilPath(page, /^\/studyroom\/\d+$/u);
}

/** From /main into a room. */
export async function enterFromMain(page: Page): Promise<void> {
  await press(page, '스터디룸 입장하기');
  await passCameraCheck(page);
}

/** The tile of one learner. */
export const tileIn = ({ userId }: Account) => `[data-participant-identity="${userId}"]`;

/** Waits until a tile shows a picture that moves; the tab must be in front, or Firefox draws nothing. */
export async function expectMovingPicture(page: Page, account: Account): Promise<void> {
  await expect(async () => {
    const seen = await page.$eval(`${tileIn(account)} video`, countFrames, FRAME_DEADLINE_MS);
    expect(seen.frames).toBeGreaterThanOrEqual(15);
    expect(seen.changed).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
}
