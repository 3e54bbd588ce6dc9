import { putFocusSettings } from '@mogakgong/contract';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { type Account, callAs, enterFromMain, expect, test, tileOf } from '../support/journey.ts';

const SECONDS_APART_MAX = 1;

/** What a clock shows, in seconds. */
async function secondsOf(clock: Locator): Promise<number> {
  const [hours = 0, minutes = 0, seconds = 0] = ((await clock.textContent()) ?? '')
    .split(':')
    .map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/** The learner's clock on a page, in seconds. */
function clockOn(page: Page, account: Account): Promise<number> {
  return secondsOf(tileOf(page, account).getByRole('timer'));
}

/** Reads one learner's clock on two pages at once; both must say the same, within a second. */
async function expectSameClock(pages: readonly [Page, Page], account: Account): Promise<number> {
  const [one, other] = await Promise.all(pages.map((page) => clockOn(page, account)));
  if (one === undefined || other === undefined) throw new Error('a clock is missing');
  expectNear(one, other);
  return one;
}

async function expectStatus(pages: readonly Page[], account: Account, status: string) {
  for (const page of pages) {
    await expect(tileOf(page, account)).toHaveAttribute('data-focus', status);
  }
}

/** Waits until a clock shows at least so much. */
async function untilClock(page: Page, account: Account, seconds: number): Promise<void> {
  await expect.poll(() => clockOn(page, account)).toBeGreaterThanOrEqual(seconds);
}

/** The time beside the status in the bar of the room. */
const statusInBar = (page: Page) => page.locator('[data-own-status]').getByRole('timer');

const todayOn = (page: Page) => page.getByRole('banner').getByRole('timer');

function expectNear(one: number, other: number): void {
  expect(Math.abs(one - other)).toBeLessThanOrEqual(SECONDS_APART_MAX);
}

test('two browsers show the same clock, goal and schedule', async ({ newLearner }) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const pages = [first.page, second.page] as const;
  await enterFromMain(first.page);
  await enterFromMain(second.page);

  await test.step('two browsers show the same clock through start, pause, away, reload and a cut connection', async () => {
    // It starts on entering (specification §1).
    await expectStatus(pages, first.account, 'focus');
    await untilClock(first.page, first.account, 3);
    await expectSameClock(pages, first.account);
    await expectSameClock(pages, second.account);

    const focused = await clockOn(first.page, first.account);
    await first.page.getByRole('button', { name: '휴식', exact: true }).click();
    await expectStatus(pages, first.account, 'pause');
    // One number for one label: the break, on both tiles and in the bar.
    await untilClock(second.page, first.account, 2);
    const broke = await expectSameClock(pages, first.account);
    expectNear(await secondsOf(statusInBar(first.page)), broke);

    await first.page.keyboard.press('b');
    await expectStatus(pages, first.account, 'focus');
    await untilClock(second.page, first.account, focused + 2);
    // The break counted no focus.
    expect(await expectSameClock(pages, first.account)).toBeLessThan(focused + 2 + broke);

    await first.page.keyboard.press('a');
    await expectStatus(pages, first.account, 'away');
    // Away counts separately.
    await untilClock(second.page, first.account, 2);
    expect(await expectSameClock(pages, first.account)).toBeLessThan(focused + 2);
    // Nothing of the picture is sent, which both tiles say.
    await expect(tileOf(first.page, first.account)).toContainText('내 화면을 보내지 않아요');
    await expect(tileOf(second.page, first.account)).toContainText('자리를 비웠어요');
    await expect(tileOf(second.page, first.account).locator('video')).toHaveCount(0);
    expect(await first.page.title()).toMatch(/^자리 비움 0:00:\d\d · /u);

    await first.page.keyboard.press('a');
    await expectStatus(pages, first.account, 'focus');
    const before = await clockOn(second.page, first.account);
    expect(before).toBeGreaterThanOrEqual(focused + 2);
    await expect(tileOf(second.page, first.account).locator('video')).toHaveCount(1);
    await first.page.reload();
    await expectStatus(pages, first.account, 'focus');
    // Until the others are connected to them again, their clock stands there.
    await expect(tileOf(second.page, first.account)).not.toHaveAttribute('data-connection');
    expect(await expectSameClock(pages, first.account)).toBeGreaterThanOrEqual(before);

    await first.page.context().setOffline(true);
    const cutAt = await clockOn(first.page, first.account);
    await untilClock(first.page, first.account, cutAt + 3);
    await expectSameClock(pages, first.account);
    // A break without a connection shows at once, and counts from its moment.
    await first.page.getByRole('button', { name: '휴식', exact: true }).click();
    await expectStatus([first.page], first.account, 'pause');
    await expect(first.page).toHaveTitle(/^휴식 0:00:\d\d · /u);
    await expect(first.page.getByText('연결되면 저장돼요')).toBeVisible();
    await untilClock(first.page, first.account, 3);
    await first.page.context().setOffline(false);
    await expectStatus(pages, first.account, 'pause');
    // The break lasts since the press.
    expect(await expectSameClock(pages, first.account)).toBeGreaterThanOrEqual(3);
    await expect(first.page.getByText('연결되면 저장돼요')).toHaveCount(0);
  });

  await test.step('a joined pomodoro pauses and resumes both learners; bar, tile and today agree', async () => {
    await first.page.keyboard.press('b');
    await expectStatus(pages, first.account, 'focus');
    await first.page.getByRole('button', { name: '내 책상' }).click();
    await first.page.getByRole('button', { name: '직접 정하기' }).click();
    await first.page.getByLabel('집중 (분)').fill('1');
    await first.page.getByLabel('휴식 (분)').fill('1');
    await first.page.getByRole('button', { name: '시작', exact: true }).click();
    await second.page.locator('.toast').getByRole('button', { name: '참여하기' }).click();
    for (const { account } of [first, second]) await expectStatus(pages, account, 'focus');
    // The break begins by itself, on all pages at once.
    for (const { account } of [first, second]) {
      await expect(tileOf(first.page, account)).toHaveAttribute('data-focus', 'pause', {
        timeout: 75_000,
      });
      await expectStatus(pages, account, 'pause');
    }
    const today = await secondsOf(todayOn(first.page));
    const left = await expectSameClock(pages, first.account);
    expectNear(await secondsOf(statusInBar(first.page)), left);
    expectNear(await clockOn(second.page, second.account), left);
    expectNear(await secondsOf(statusInBar(second.page)), left);
    // In full screen what is left of the break stands beside the button that ends it.
    await first.page.keyboard.press('f');
    const end = first.page.getByRole('button', { name: '전체 화면 끝내기' });
    const leftOfBreak = first.page.locator('.full-screen-clock').getByText('남음');
    for (const width of [640, 768, 1024]) {
      await first.page.setViewportSize({ width, height: 1_024 });
      const [words, button] = [await leftOfBreak.boundingBox(), await end.boundingBox()];
      const rightPx = Number(words?.x) + Number(words?.width);
      expect(rightPx, `${width} px`).toBeLessThan(Number(button?.x));
    }
    await first.page.setViewportSize({ width: 1280, height: 720 });
    await first.page.reload();
    await expectStatus(pages, first.account, 'pause');
    await expect(todayOn(first.page)).not.toHaveText('00:00:00');
    expectNear(await secondsOf(todayOn(first.page)), today);
    // Who pauses by hand stays paused.
    await second.page.keyboard.press('b');
    await expectStatus(pages, second.account, 'focus');
    await second.page.keyboard.press('b');
    await expectStatus(pages, second.account, 'pause');
    await expect(tileOf(second.page, first.account)).toHaveAttribute('data-focus', 'focus', {
      timeout: 75_000,
    });
    await expectStatus(pages, second.account, 'pause');
    await first.page.getByRole('button', { name: '내 책상' }).click();
    await first.page.getByRole('button', { name: '뽀모도로 끝내기' }).click();
    await first.page
      .getByRole('alertdialog')
      .getByRole('button', { name: '뽀모도로 끝내기' })
      .click();
    await expect(first.page.getByRole('button', { name: '직접 정하기' })).toBeVisible();
    await expectStatus(pages, first.account, 'focus');
    await first.page.keyboard.press('Escape');
    await first.page.keyboard.press('b');
    await second.page.keyboard.press('b');
    await expectStatus(pages, first.account, 'pause');
  });

  await test.step('a goal is private until it is shown; a learner who accepts the invitation follows the room’s schedule', async () => {
    await first.page.keyboard.press('b');
    await expectStatus([first.page, second.page], first.account, 'focus');

    await first.page.getByRole('button', { name: '내 책상' }).click();
    await first.page.getByLabel('목표 집중 시간').selectOption({ label: '2시간' });
    await first.page.getByLabel('새 할 일').fill('수학 40~55쪽');
    await first.page.keyboard.press('Enter');
    await expect(first.page.locator('[data-bar]').getByRole('img')).toBeVisible();
    await expect(tileOf(second.page, first.account).getByRole('img')).toHaveCount(0);
    await first.page.getByLabel('같은 방 사람들에게 보이기').check();
    await expect(tileOf(second.page, first.account).getByRole('img')).toBeVisible();
    await expect(tileOf(second.page, first.account).getByText('수학 40~55쪽')).toBeVisible();

    await first.page.getByRole('button', { name: '집중 50분, 휴식 10분' }).click();
    await expect(first.page.getByLabel('참여하기')).toBeChecked();
    const invitation = second.page
      .locator('.toast')
      .filter({ hasText: `${first.account.nickname}님이 50/10 뽀모도로를 시작했어요.` });
    await expect(invitation).toBeVisible();
    await expectAccessible(second.page);
    await second.page.getByRole('button', { name: '내 책상' }).click();
    await expect(second.page.getByText('집중 1회차')).toBeVisible();
    await expect(second.page.getByLabel('참여하기')).not.toBeChecked();
    const join = second.page.locator('[data-bar]').getByRole('button', { name: '참여하기' });
    await expect(join).toBeVisible();
    await invitation.getByRole('button', { name: '참여하기' }).click();
    await expect(join).toHaveCount(0);
    await expect(second.page.getByLabel('참여하기')).toBeChecked();
    await expectStatus([first.page, second.page], second.account, 'focus');

    // Only who started it ends it for everybody.
    await expect(second.page.getByText(/^시작한 사람이나 방장만/u)).toBeVisible();
    await expect(second.page.getByRole('button', { name: '뽀모도로 끝내기' })).toHaveCount(0);
    const stop = first.page.getByRole('button', { name: '뽀모도로 끝내기' });
    await stop.press('Enter');
    await expect(first.page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(first.page);
    await first.page.keyboard.press('Escape');
    await expect(stop).toBeFocused();
    await stop.click();
    await first.page
      .getByRole('alertdialog')
      .getByRole('button', { name: '뽀모도로 끝내기' })
      .click();
    await expect(
      second.page.getByText(`${first.account.nickname}님이 뽀모도로를 끝냈어요.`),
    ).toBeVisible();
    await expect(second.page.getByRole('button', { name: '집중 50분, 휴식 10분' })).toBeVisible();
  });
});

test('one learner focuses, takes breaks, leaves and comes back', async ({ newLearner }) => {
  const { page, account } = await newLearner();

  await test.step('today’s time in the header ticks while focusing, stops in a break, and survives a reload', async () => {
    await expect(todayOn(page)).toHaveText('00:00:00');
    await enterFromMain(page);
    await expect.poll(() => secondsOf(todayOn(page))).toBeGreaterThanOrEqual(3);
    await tileOf(page, account).getByRole('button', { name: '집중 중. 눌러서 휴식' }).click();
    await expectStatus([page], account, 'pause');
    const standing = await secondsOf(todayOn(page));
    await page.reload();
    await expectStatus([page], account, 'pause');
    await expect(todayOn(page)).not.toHaveText('00:00:00');
    expectNear(await secondsOf(todayOn(page)), standing);
  });

  await test.step('a move shows at once, and is taken back with the server’s words when it fails', async () => {
    await page.keyboard.press('b');
    await expectStatus([page], account, 'focus');
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    let calls = 0;
    await page.route('**/api/timer/pause', async (route) => {
      calls += 1;
      onAsked();
      await mayAnswer;
      await route.fulfill({ status: 409, json: { message: '잠시 쉬는 중이에요.' } });
    });
    await page.route('**/api/user/stat/today-study-time', (route) => route.abort());
    const dot = tileOf(page, account).getByRole('button', { name: /눌러서/u });
    await dot.dblclick();
    await asked;
    await expectStatus([page], account, 'pause');
    const today = await secondsOf(todayOn(page));
    letAnswer();
    await expect(page.getByText('잠시 쉬는 중이에요.')).toBeVisible();
    await expectAccessible(page);
    await expectStatus([page], account, 'focus');
    expect(calls).toBe(1);
    // The header is taken back as well, though the server cannot be asked.
    await expect.poll(() => secondsOf(todayOn(page))).toBeGreaterThanOrEqual(today + 2);

    await page.unrouteAll();
    await dot.click();
    await expectStatus([page], account, 'pause');
  });

  await test.step('today’s time stops in every tab in a break, and after leaving', async () => {
    await page.keyboard.press('b');
    await expectStatus([page], account, 'focus');
    const statistics = await page.context().newPage();
    await statistics.goto('/statistics');
    const clocks = [
      todayOn(page),
      todayOn(statistics),
      statistics.getByRole('region', { name: '오늘', exact: true }).getByRole('timer'),
    ];
    const untilAll = (seconds: number) =>
      Promise.all(
        clocks.map((clock) => expect.poll(() => secondsOf(clock)).toBeGreaterThanOrEqual(seconds)),
      );
    const expectStanding = async () => {
      const before = await Promise.all(clocks.map(secondsOf));
      for (const seconds of before) expectNear(seconds, before[0] ?? 0);
      const sinceMs = Date.now();
      await page.waitForFunction((ms) => Date.now() - ms > 3_000, sinceMs);
      const after = await Promise.all(clocks.map(secondsOf));
      for (const [index, seconds] of after.entries()) expectNear(seconds, before[index] ?? 0);
      return before[0] ?? 0;
    };
    await untilAll(3);

    await page.bringToFront();
    await page.keyboard.press('b');
    await expectStatus([page], account, 'pause');
    const paused = await expectStanding();
    await page.keyboard.press('b');
    await untilAll(paused + 2);

    await page.getByRole('button', { name: '나가기' }).click();
    await page.waitForURL('/main');
    await expectStanding();
  });

  await enterFromMain(page);

  await test.step('single keys leave what is written alone, and can be turned off', async () => {
    await expectStatus([page], account, 'focus');
    await page.getByRole('button', { name: '채팅 열기' }).click();
    await page.getByRole('textbox', { name: '메시지' }).pressSequentially('ba');
    await expect(page.getByRole('textbox', { name: '메시지' })).toHaveValue('ba');
    await page.getByRole('button', { name: '채팅 닫기' }).click();
    await expectStatus([page], account, 'focus');

    await page.keyboard.press('Shift+Slash');
    await page.getByLabel('단축키 사용').uncheck();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('b');
    await untilClock(page, account, (await clockOn(page, account)) + 2);
    await expectStatus([page], account, 'focus');
  });
});

test('with "start on entering" off a press of the dot begins', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  const body = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: false };
  await callAs(account, putFocusSettings, { body });
  await enterFromMain(page);
  await expectStatus([page], account, 'idle');
  await tileOf(page, account).getByRole('button', { name: '대기 중. 눌러서 집중 시작' }).click();
  await expectStatus([page], account, 'focus');
});
