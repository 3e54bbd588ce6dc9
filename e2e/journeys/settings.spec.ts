import { blockUser } from '@mogakgong/contract';
import { expectAccessible } from '../support/accessibility.ts';
import {
  callAs,
  createAccount,
  enterFromMain,
  expect,
  logInByForm,
  test,
} from '../support/journey.ts';

test('settings of the account hold on every device, those of the browser over a reload', async ({
  newLearner,
  newVisitor,
}) => {
  const { page, account } = await newLearner();
  const noisy = await createAccount();
  await callAs(account, blockUser, { params: { blockedId: noisy.userId } });
  await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '설정' }).click();
  await page.waitForURL('/settings');

  await page.getByRole('radio', { name: '밝게' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '어둡게' })).toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const links = page.getByRole('navigation', { name: '설정 항목' });
  await links.getByRole('link', { name: '공부' }).click();
  await page.waitForURL('/settings/study');
  await page.getByLabel('방에 들어가면 바로 집중 시작').uncheck();
  await page.getByLabel('하루가 시작되는 시각').selectOption('04:00');
  await page.getByRole('button', { name: '저장' }).click();
  await expect(page.getByText('집중 시간 설정을 저장했어요.')).toBeVisible();

  await page.setViewportSize({ width: 320, height: 800 });
  const last = links.getByRole('link', { name: '차단한 사람' });
  await last.click();
  await expect(last).toHaveAttribute('aria-current', 'page');
  await expect(last).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const blocked = page.getByRole('region', { name: '차단 목록' });
  await expect(blocked).toBeInViewport();
  // Whom one never met has no name there.
  const unblock = `함께한 적 없는 사람 (${noisy.userId}번) 차단 해제`;
  await blocked.getByRole('button', { name: unblock }).click();
  await expect(blocked.getByText(/^차단한 사람이 없어요/u)).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(blocked.getByText(/^차단한 사람이 없어요/u)).toBeVisible();

  const other = await newVisitor();
  await other.goto('/email-login?next=%2Fsettings%2Fstudy');
  await logInByForm(other, account);
  await other.waitForURL('/settings/study');
  await expect(other.locator('html')).not.toHaveAttribute('data-theme');
  await expect(other.getByLabel('하루가 시작되는 시각')).toHaveValue('240');
  await expect(other.getByLabel('방에 들어가면 바로 집중 시작')).not.toBeChecked();
  await other.goto('/main');
  await enterFromMain(other);
  await expect(other.getByRole('button', { name: '집중 시작' }).first()).toBeVisible();
});
