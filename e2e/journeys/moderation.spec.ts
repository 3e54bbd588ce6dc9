import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createReport } from '@mogakgong/contract';
import { expectGood, inBothThemes } from '../support/accessibility.ts';
import { callAs, createAccount, enterByApi, expect, test } from '../support/journey.ts';

test('a new moderator finds the console, and claims and decides a case by keys', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  const [reporter, reported] = [await createAccount(), await createAccount()];
  const roomId = await enterByApi(reported);
  await enterByApi(reporter);
  // One character that no line can break, much wider than any window.
  const description = `A${'\u0301\u0489\u20dd'.repeat(140)}`;
  const body = { roomId, reportedId: reported.userId, reason: 'ABUSE', description };
  await callAs(reporter, createReport, { body });

  await page.goto('/moderation');
  await expect(page.getByText('404')).toBeVisible();
  const command = ['run', '--silent', 'admin', '--', 'grant', 'moderator', account.email];
  await promisify(execFile)('npm', command, { env: { ...process.env, DATA_DIR: stack.dataDir } });
  await page.reload();
  await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '운영 콘솔' }).click();

  const entry = page
    .getByRole('list', { name: '대기 중' })
    .getByRole('button', { name: reported.nickname });
  await expect(entry).toBeVisible();
  const person = page.getByRole('heading', { level: 2, name: reported.nickname });
  // List and case take each other's place.
  await page.setViewportSize({ width: 390, height: 844 });
  await entry.press('Enter');
  await expect(person).toBeFocused();
  await page.getByRole('button', { name: '목록으로' }).press('Enter');
  await expect(entry).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 720 });
  await entry.click();
  await expect(person).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('button', { name: '결정하기' })).toBeVisible();
  await page.keyboard.press('d');
  const form = page.getByRole('form', { name: '결정' });
  await expect(form).toBeVisible();
  await inBothThemes(page, expectGood);
  await page.keyboard.press('ArrowRight');
  await expect(form.getByRole('radio', { name: '경고' })).toBeChecked();
  await form.getByLabel('당사자에게 보여 줄 이유').fill('채팅에서 서로 존중해 주세요.');
  await form.getByRole('button', { name: '결정 확정' }).click();
  await expect(page.getByText('결정했어요.')).toBeVisible();
  await expect(person).toBeFocused();
  await expect(entry).toBeHidden();
  await page.getByRole('button', { name: '결정 완료' }).click();
  await expect(page.getByRole('list', { name: '결정 완료' })).toContainText(reported.nickname);
});
