import { chromium, type Page } from '@playwright/test';
import playwrightConfig from '../e2e/playwright.config.ts';
import { createAccount, enterFromMain, logInByForm, playOn } from '../e2e/support/journey.ts';
import { startStack } from '../test/running-stack.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * From the click on "enter" to the first frame of somebody else on the screen, in a real browser on
 * the real stack. The camera is already on, as it is when one clicks. Each join is a new visit.
 *
 *     npm run bench:join [joins]
 */
const JOINS = Number(process.argv[2] ?? 20);
const steps = ['room:token', 'room:connected', 'room:first-remote-frame'] as const;
type Step = (typeof steps)[number];

async function logIn(page: Page): Promise<void> {
  await page.goto(`${stack.url}/email-login`);
  await logInByForm(page, await createAccount());
  await page.waitForURL('**/main');
}

/** Milliseconds from the click to each step. */
async function timeJoin(page: Page): Promise<Record<Step, number>> {
  await enterFromMain(page);
  const times = await page.evaluate(
    async (names) => {
      const reached = (name: string) => performance.getEntriesByName(name, 'mark')[0]?.startTime;
      const nextPaint = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (names.some((name) => reached(name) === undefined)) await nextPaint();
      const clickedAtMs = reached('room:click-enter') ?? Number.NaN;
      return names.map((name) => (reached(name) ?? Number.NaN) - clickedAtMs);
    },
    steps as readonly string[],
  );
  await page.getByRole('button', { name: '나가기' }).click();
  await page.waitForURL('**/main');
  return Object.fromEntries(steps.map((step, index) => [step, times[index]])) as Record<
    Step,
    number
  >;
}

async function run(): Promise<void> {
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
  try {
    const newPage = async () => (await browser.newContext({ locale: 'ko-KR' })).newPage();
    const [host, guest] = [await newPage(), await newPage()];
    await logIn(host);
    await enterFromMain(host);
    await logIn(guest);
    // The first join downloads the room's code; the visits that follow find it in the cache.
    await timeJoin(guest);
    const joins: Record<Step, number>[] = [];
    while (joins.length < JOINS) joins.push(await timeJoin(guest));

    console.log(tableRow(`click → (${JOINS} joins)`, 'p50 ms', 'p95 ms', 'max ms'));
    console.log(tableRow('---', '---:', '---:', '---:'));
    for (const step of steps) {
      const samples = joins.map((join) => join[step]);
      const rounded = [0.5, 0.95, 1].map((share) => Math.round(percentile(samples, share)));
      console.log(tableRow(step.replace('room:', '').replaceAll('-', ' '), ...rounded));
    }
  } finally {
    await browser.close();
  }
}

const stack = await startStack('bench-join');
try {
  playOn(stack);
  await run();
} finally {
  await stack.stop();
}
