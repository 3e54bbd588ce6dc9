import { getGoal, getToday, putGoal } from '@mogakgong/contract';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import {
  callAs,
  createAccount,
  enterFromMain,
  expect,
  LIGHT_PATH,
  logInDetails,
  logInHere,
  test,
} from '../support/journey.ts';

/** The page and the room have the network for themselves first. */
const KEPT_AFTER_MS = 60_000;
const OFFLINE_SECONDS = 6;

/** Waits until the service worker keeps the whole application. */
const untilKept = (page: Page) =>
  expect
    .poll(() => page.evaluate(async () => (await caches.match('/main')) !== undefined), {
      timeout: KEPT_AFTER_MS,
    })
    .toBe(true);

async function secondsOf(timer: Locator): Promise<number> {
  const parts = ((await timer.textContent()) ?? '').split(':').map(Number);
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

test('without a network a reload shows room and clock, and a pause, a ticked task and a plan are kept', async ({
  browser,
  url,
}) => {
  const account = await createAccount();
  const { use } = test.info().project;
  const context = await browser.newContext({ ...use, baseURL: url, serviceWorkers: 'allow' });
  try {
    const page = await context.newPage();
    await page.goto(LIGHT_PATH);
    await page.evaluate(logInHere, logInDetails(account));
    const task = { text: '단어 30개', isDone: false };
    const goal = { targetMinutes: null, tasks: [task], isVisible: false };
    await callAs(account, putGoal, { body: goal });
    await page.goto('/main');
    await untilKept(page);
    await enterFromMain(page);
    const pause = page.getByRole('button', { name: '휴식', exact: true });
    await expect(pause).toBeVisible();
    const today = page.getByRole('banner').getByRole('timer');

    await context.setOffline(true);
    await page.reload();
    await pause.click();
    await expect(page.getByRole('button', { name: '다시 집중', exact: true })).toBeVisible();
    const pausedAfter = await secondsOf(today);
    const pausedAtMs = Date.now();
    await expectAccessible(page);

    await page.goto('/main');
    await expect(page.getByRole('region', { name: '내 기록' })).toContainText('오늘 집중');
    await expect
      .poll(() => Date.now() - pausedAtMs, { timeout: 30_000 })
      .toBeGreaterThan(OFFLINE_SECONDS * 1_000);

    const saves: number[] = [];
    page.on('response', (answer) => {
      const isSave = answer.request().method() === 'PUT' && answer.url().endsWith(putGoal.path);
      if (isSave) saves.push(answer.status());
    });
    await page.goto('/plan');
    await page.getByLabel(task.text, { exact: true }).check();
    await page.getByLabel('할 일', { exact: true }).fill('오답 정리');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: '오답 정리 지우기' })).toBeVisible();

    await context.setOffline(false);
    await expect
      .poll(() => callAs(account, getGoal), { timeout: 60_000 })
      .toMatchObject({ tasks: [{ ...task, isDone: true }], plan: [{ text: '오답 정리' }] });
    await expect.poll(() => saves).toEqual([200]);
    await expect
      .poll(async () => (await callAs(account, getToday)).runningSinceMs, { timeout: 60_000 })
      .toBeNull();
    const { focusMs } = await callAs(account, getToday);
    expect(Math.abs(focusMs / 1_000 - pausedAfter)).toBeLessThan(2.5);
    expect(saves).toHaveLength(1);

    await page.getByRole('banner').locator('button[aria-haspopup="menu"]').click();
    await page.getByRole('menuitem', { name: '로그아웃' }).click();
    await page.waitForURL('/login');
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('last-state');
  } finally {
    await context.close();
  }
});
