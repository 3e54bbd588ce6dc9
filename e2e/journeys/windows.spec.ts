import { addSubject, chooseSubject, getSubjects } from '@mogakgong/contract';
import type { RunningStack } from '../../test/running-stack.ts';
import { press, test } from '../support/firefox.ts';
import { type Account, callAs, createAccount, enterByApi, expect } from '../support/journey.ts';
import { createModerator, reportAndDecide } from '../support/moderation.ts';

/** What both drivers of browsers have. */
interface Tab {
  readonly evaluate: (run: (argument: string) => unknown, argument: string) => Promise<unknown>;
  readonly keyboard: { readonly press: (key: 'Escape') => Promise<void> };
  readonly reload: () => Promise<unknown>;
}

/** Runs in the page: a toast that is reached at its middle, and read out because no window makes it inert. */
const isToastOnTop = (text: string) => {
  const toast = [...document.querySelectorAll('.toast')].find((each) =>
    each.textContent?.includes(text),
  );
  if (toast === undefined) return false;
  const { left, top, width, height } = toast.getBoundingClientRect();
  const atMiddle = document.elementFromPoint(left + width / 2, top + height / 2);
  return toast.contains(atMiddle) && toast.closest('[role="status"]') !== null;
};

/** Runs in the page: answers of the API to this path are failures of the server. */
const failAt = (path: string) => {
  const { fetch } = window;
  window.fetch = async (input, init) =>
    new URL(input instanceof Request ? input.url : input, window.location.href).pathname === path
      ? new Response('{}', { status: 500 })
      : fetch(input, init);
};

const isModal = (name: string) => {
  const window = [...document.querySelectorAll('dialog')].find(
    (each) => each.querySelector('h2')?.textContent === name,
  );
  return window?.matches(':modal');
};

/** A failure is seen above the camera check. */
async function expectFailureSeen(tab: Tab, pressSubject: () => Promise<void>): Promise<void> {
  await tab.evaluate(failAt, chooseSubject.path);
  await pressSubject();
  await expect.poll(() => tab.evaluate(isToastOnTop, '서버 내부 오류')).toBe(true);
}

/** A decision stays until it is confirmed, however often Escape is pressed. */
async function expectDecisionStays(tab: Tab, account: Account, stack: RunningStack) {
  const reporter = await createAccount();
  const roomId = await enterByApi(reporter);
  await enterByApi(account, roomId);
  const moderator = await createModerator(stack);
  await reportAndDecide({ reporter, offender: account, moderator, roomId }, 'warn');
  await tab.reload();
  const name = '경고를 받았어요';
  await expect.poll(() => tab.evaluate(isModal, name)).toBe(true);
  for (let time = 0; time < 5; time += 1) {
    await tab.keyboard.press('Escape');
    await tab.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(0))), '');
    await expect.poll(() => tab.evaluate(isModal, name)).toBe(true);
  }
}

async function learnSubject(account: Account): Promise<void> {
  await callAs(account, addSubject, { body: { name: '영어' } });
  expect((await callAs(account, getSubjects)).subjects).toHaveLength(1);
}

test('in Chromium a failure is seen above a window, and a decision stays until it is confirmed', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await learnSubject(account);
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  await expectFailureSeen(page, () => page.getByRole('button', { name: '영어' }).click());
  const toast = page.getByRole('dialog').getByRole('status').filter({ hasText: '서버 내부 오류' });
  await toast.getByRole('button', { name: '닫기' }).click();
  await expect(page.getByText('서버 내부 오류')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await expectDecisionStays(page, account, stack);
  await page.getByRole('button', { name: '확인했어요' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('in Firefox a failure is seen above a window, and a decision stays until it is confirmed', async ({
  newFirefoxLearner,
  stack,
}) => {
  const { page, account } = await newFirefoxLearner();
  await learnSubject(account);
  await press(page, '스터디룸 입장하기');
  await expectFailureSeen(page, () => press(page, '영어'));
  await page.keyboard.press('Escape');
  await expect.poll(() => page.$$eval('dialog', (open) => open.length)).toBe(0);
  await expectDecisionStays(page, account, stack);
  await press(page, '확인했어요');
  await expect.poll(() => page.$$eval('dialog', (open) => open.length)).toBe(0);
});
