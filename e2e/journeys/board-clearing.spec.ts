import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { enterFromMain, expect, test } from '../support/journey.ts';

async function openBoard(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^화이트보드/u }).press('Enter');
  await expect(page.locator('.board-surface canvas').first()).toBeVisible();
  // Once the board is there, it takes the pen; a tool that was chosen before would be put down.
  await expect(page.getByTestId('toolbar-freedraw')).toBeChecked();
}

/** Chooses an entry of the board's menu by keys. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '화이트보드 메뉴' }).press('Enter');
  await page.getByRole('menuitem', { name }).press('Enter');
}

/** Writes a text on the board, and waits until it is there. */
async function write(page: Page, text: string): Promise<void> {
  // The label, not the hidden button in it: a click on it waits until the bar of tools stands still.
  await page.locator('label:has([data-testid=toolbar-text])').click();
  await expect(page.getByTestId('toolbar-text')).toBeChecked();
  await page.locator('.board-surface canvas.interactive').click({ position: { x: 200, y: 300 } });
  await page.locator('.board-surface textarea').fill(text);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '글 목록으로 보기' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  await page.getByRole('button', { name: '그림으로 보기' }).click();
}

test('a learner clears the board, everybody is told who did, and another brings it back', async ({
  newLearner,
}) => {
  const [{ page: one, account }, { page: other, account: helper }] = [
    await newLearner(),
    await newLearner(),
  ];
  await enterFromMain(one);
  await openBoard(one);
  await write(one, '오늘 할 일');
  await enterFromMain(other);
  // A notice reaches a connected learner, with the board open or not.
  await expect(other.getByRole('button', { name: '2명' })).toBeVisible();

  await choose(one, '화이트보드 비우기');
  await expectAccessible(one);
  await one.getByRole('button', { name: '비우기', exact: true }).press('Enter');
  await expect(one.getByText('화이트보드를 비웠어요.', { exact: true })).toBeVisible();
  await expect(other.getByText(`${account.nickname}님이 화이트보드를 비웠어요.`)).toBeVisible();
  await one.getByRole('button', { name: '글 목록으로 보기' }).click();
  await expect(one.getByText('아직 적힌 글이 없어요.')).toBeVisible();

  await openBoard(other);
  await choose(other, '비운 화이트보드 되살리기');
  await expect(one.getByText(`${helper.nickname}님이 화이트보드를 되살렸어요.`)).toBeVisible();
  await other.getByRole('button', { name: '글 목록으로 보기' }).click();
  for (const page of [one, other]) {
    await expect(page.getByRole('listitem').filter({ hasText: '오늘 할 일' })).toBeVisible();
  }
  await choose(other, '비운 화이트보드 되살리기');
  await expect(other.getByText(/되살릴 화이트보드가 없어요/u)).toBeVisible();
});
