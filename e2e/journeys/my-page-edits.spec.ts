import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, expectGood } from '../support/accessibility.ts';
import { enterFromMain, expect, logInByForm, test, tileOf } from '../support/journey.ts';

const row = (page: Page, name: string) => page.getByRole('group', { name });

test('a nickname is changed after a refusal, and everybody in the room sees it at once', async ({
  newLearner,
}) => {
  const [learner, other] = [await newLearner(), await newLearner()];
  const { page } = learner;
  await enterFromMain(page);
  await enterFromMain(other.page);
  for (const tab of [page, other.page])
    await tab.getByRole('button', { name: '채팅 열기' }).click();
  const messages = other.page.getByRole('log');
  await page.getByRole('textbox', { name: '메시지' }).fill('안녕하세요');
  await page.keyboard.press('Enter');
  await expect(messages.getByText('안녕하세요')).toBeVisible();

  const otherTab = await page.context().newPage();
  await otherTab.goto('/mypage');
  const nickname = row(otherTab, '닉네임');
  await nickname.getByRole('button', { name: '닉네임 바꾸기' }).click();
  const field = nickname.getByLabel('새 닉네임');
  await expect(field).toBeFocused();
  await field.fill('취소할이름');
  await nickname.getByRole('button', { name: '취소' }).click();
  await expect(nickname.getByText(learner.account.nickname)).toBeVisible();

  await otherTab.keyboard.press('Enter');
  await expect(field).toHaveValue(learner.account.nickname);
  await field.fill(other.account.nickname);
  await otherTab.keyboard.press('Enter');
  await expect(nickname.getByText('이미 사용 중인 이름이에요.')).toBeVisible();
  await expect(field).toBeFocused();
  await expectGood(otherTab);
  const name = `새이름${randomBytes(4).toString('hex')}`;
  await field.fill(name);
  await otherTab.keyboard.press('Enter');
  await expect(otherTab.getByText('닉네임을 바꿨어요.')).toBeVisible();

  await expect(tileOf(other.page, learner.account).getByText(name).first()).toBeVisible();
  await expect(messages.getByRole('button', { name: `${name} 메뉴` })).toBeVisible();
  for (const tab of [otherTab, page]) {
    await expect(tab.getByRole('banner').getByText(name).first()).toBeVisible();
  }
  await otherTab.reload();
  await expect(nickname.getByText(name)).toBeVisible();
});

test('an e-mail is changed after a refusal and a cancel, and is the one to log in with', async ({
  newLearner,
  newVisitor,
}) => {
  const [{ page, account }, other] = [await newLearner(), await newLearner()];
  await page.goto('/mypage');
  const email = row(page, '이메일');
  await email.getByRole('button', { name: '이메일 바꾸기' }).click();
  const field = email.getByLabel('새 이메일');
  await field.fill(other.account.email);
  await page.keyboard.press('Enter');
  await expect(email.getByText('이미 존재하는 정보입니다.')).toBeVisible();
  await email.getByRole('button', { name: '취소' }).click();
  await expect(email.getByText(account.email)).toBeVisible();

  const newEmail = `${randomBytes(24).toString('hex')}@example.org`;
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(account.email);
  await field.fill(newEmail);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^이메일을 바꿨어요/u)).toBeVisible();
  await expect(email.getByText(newEmail)).toBeVisible();
  await expectGood(page);

  const later = await newVisitor();
  await later.goto('/email-login');
  await logInByForm(later, account);
  await expect(later.getByText('이메일 또는 비밀번호가 올바르지 않아요.')).toBeVisible();
  await logInByForm(later, { email: newEmail });
  await later.waitForURL('/main');
});
