import type { Page } from '@playwright/test';
import { expectAccessible, expectGood } from '../support/accessibility.ts';
import { type Account, enterFromMain, expect, test } from '../support/journey.ts';

const panel = (page: Page) => page.getByRole('region', { name: '리더보드' });
const rowOf = (page: Page, { nickname }: Account) =>
  panel(page).getByRole('listitem').filter({ hasText: nickname });

test('two learners who switch it on see each other until one stops; a third who did not is not there', async ({
  newLearner,
}) => {
  const learners = await Promise.all([newLearner(), newLearner(), newLearner()]);
  const [first, second, third] = learners;
  for (const { page } of learners) await enterFromMain(page);

  await first.page.keyboard.press('t');
  const turnOn = (page: Page) => panel(page).getByRole('button', { name: '켜고 보기' });
  await expect(turnOn(first.page)).toBeVisible();
  await expectAccessible(first.page);
  await turnOn(first.page).click();
  await expect(rowOf(first.page, first.account)).toContainText('불씨');
  await expect(panel(first.page)).toContainText('아직 리더보드를 켠 다른 사람이 없어요');

  // Somebody who comes onto the board is there within seconds, and can be reached by keys alone.
  const people = second.page.getByRole('button', { name: '3명' });
  await people.press('Enter');
  await second.page.getByRole('button', { name: /^리더보드/u }).press('Enter');
  await turnOn(second.page).press('Enter');
  await expect(rowOf(second.page, first.account)).toBeVisible();
  await expect(rowOf(first.page, second.account)).toBeVisible();
  await expect(rowOf(first.page, third.account)).toHaveCount(0);
  await expectGood(first.page);

  await third.page.keyboard.press('t');
  await expect(turnOn(third.page)).toBeVisible();
  await expect(panel(third.page)).not.toContainText(first.account.nickname);

  await panel(second.page).getByRole('button', { name: '리더보드 끄기' }).click();
  await expect(turnOn(second.page)).toBeVisible();
  await expect(rowOf(first.page, second.account)).toHaveCount(0);
  await second.page.keyboard.press('Escape');
  await expect(people).toBeFocused();

  // The same switch is among the settings.
  await first.page.goto('/settings/privacy');
  const shown = first.page.getByRole('checkbox', { name: /^리더보드에/u });
  await expect(shown).toBeChecked();
  await shown.press('Space');
  await expect(shown).not.toBeChecked();
  await first.page.reload();
  await expect(shown).toBeEnabled();
  await expect(shown).not.toBeChecked();
});
