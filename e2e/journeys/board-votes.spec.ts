import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { enterFromMain, expect, test } from '../support/journey.ts';

async function openBoard(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^화이트보드/u }).press('Enter');
  await expect(page.locator('.board-surface canvas').first()).toBeVisible();
}

/** Chooses an entry of the board's menu by keys. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '화이트보드 메뉴' }).press('Enter');
  await page.getByRole('menuitem', { name }).press('Enter');
}

/** Writes a text on the board, and waits until it is there. */
async function write(page: Page, text: string): Promise<void> {
  await page
    .locator('.board-surface canvas.interactive')
    .dblclick({ position: { x: 200, y: 300 } });
  await page.locator('.board-surface textarea').fill(text);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '글 목록으로 보기' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  await page.getByRole('button', { name: '그림으로 보기' }).click();
}

test('two learners empty the board by a vote and take it back by another, and one keeps a copy', async ({
  newLearner,
}) => {
  const [{ page: one }, { page: other }] = [await newLearner(), await newLearner()];
  await enterFromMain(one);
  await openBoard(one);
  await write(one, '오늘 할 일');
  await choose(one, '사본 보관하기');
  await expect(one.getByText('사본을 보관했어요. 나만 볼 수 있어요.')).toBeVisible();
  await enterFromMain(other);
  // A notice reaches who is connected.
  await expect(other.getByRole('button', { name: '2명' })).toBeVisible();

  await choose(one, '화이트보드 비우기');
  await one.getByRole('button', { name: '투표 열기' }).press('Enter');
  await expect(other.getByText(/화이트보드를 열어 참여해 주세요/u)).toBeVisible();
  await openBoard(other);
  await expectAccessible(other);
  await other.getByRole('button', { name: '찬성' }).press('Enter');
  for (const page of [one, other]) {
    await expect(page.getByText('과반이 찬성해서 화이트보드를 바꿨어요.')).toBeVisible();
  }

  // Who has closed the board is asked to come back to it.
  await one
    .getByRole('region', { name: '화이트보드' })
    .getByRole('button', { name: '닫기' })
    .click();
  await choose(other, '이전 상태');
  await expectAccessible(other);
  await other
    .getByRole('button', { name: /상태로 되돌리기$/u })
    .first()
    .press('Enter');
  await other.getByRole('button', { name: '투표 열기' }).press('Enter');
  await expect(one.getByText(/화이트보드를 열어 참여해 주세요/u)).toBeVisible();
  await openBoard(one);
  await one.getByRole('button', { name: '찬성' }).press('Enter');
  for (const page of [one, other]) {
    await page.getByRole('button', { name: '글 목록으로 보기' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: '오늘 할 일' })).toBeVisible();
  }

  await choose(one, '보관한 사본');
  await one.getByRole('link', { name: /^열기/u }).press('Enter');
  await expect(one.getByText('오늘 할 일')).toBeVisible();
  await expect(one.locator('.board-surface canvas').first()).toBeVisible();
  await expectAccessible(one);
});
