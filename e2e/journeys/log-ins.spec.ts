import { expectGood } from '../support/accessibility.ts';
import {
  enterFromMain,
  expect,
  expectMovingPicture,
  logInByForm,
  PASSWORD,
  test,
  tileOf,
} from '../support/journey.ts';

/** The limit after which nothing of an ended log-in is left (issue of accounts). */
const ENDED_WITHIN_MS = 5_000;
const NEW_PASSWORD = 'Green-desk-7';

test('a learner ends the log-in of another device, with its room and its picture', async ({
  newLearner,
  newVisitor,
}) => {
  const [witness, lost] = await Promise.all([newLearner(), newLearner()]);
  await enterFromMain(witness.page);
  await enterFromMain(lost.page);
  await expectMovingPicture(witness.page, lost.account);

  const own = await newVisitor();
  await own.goto('/email-login');
  await logInByForm(own, lost.account);
  await own.waitForURL('/main');
  await own.goto('/settings/security');
  const panel = own.getByRole('region', { name: '로그인한 기기' });
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await expect(panel.getByRole('listitem').first()).toContainText('지금 이 기기');
  await panel.getByRole('button', { name: 'Linux · Chrome에서 로그아웃' }).click();

  await expect(tileOf(witness.page, lost.account)).toHaveCount(0, { timeout: ENDED_WITHIN_MS });
  await lost.page.waitForURL(/\/login/u, { timeout: ENDED_WITHIN_MS });
  await expect(panel.getByRole('listitem')).toHaveCount(2);

  await panel.getByRole('button', { name: '다른 기기 모두 로그아웃' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await own.reload();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
});

test('a changed password logs the other devices out, and is the one to log in with', async ({
  newLearner,
  newVisitor,
}) => {
  const [{ page, account }, witness] = await Promise.all([newLearner(), newLearner()]);
  await enterFromMain(witness.page);
  const other = await newVisitor();
  await other.goto('/email-login');
  await logInByForm(other, account);
  await other.waitForURL('/main');
  await enterFromMain(other);
  await expectMovingPicture(witness.page, account);

  await page.goto('/mypage');
  await page.getByRole('button', { name: '비밀번호 바꾸기' }).click();
  const panel = page.getByRole('group', { name: '비밀번호' });
  const current = panel.getByLabel('현재 비밀번호', { exact: true });
  await expect(current).toBeFocused();
  await current.fill('Wrong-lamp-42');
  await panel.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD);
  await panel.getByLabel('새 비밀번호 확인', { exact: true }).fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(panel.getByText('비밀번호가 올바르지 않아요.')).toBeVisible();
  await expect(current).toBeFocused();
  await expectGood(page);
  await current.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^비밀번호를 바꿨어요/u)).toBeVisible();
  await expect(tileOf(witness.page, account)).toHaveCount(0, { timeout: ENDED_WITHIN_MS });
  await other.waitForURL(/\/login/u, { timeout: ENDED_WITHIN_MS });

  await other.goto('/email-login');
  await logInByForm(other, account);
  await expect(other.getByText('이메일 또는 비밀번호가 올바르지 않아요.')).toBeVisible();
  await other.getByLabel('비밀번호', { exact: true }).fill(NEW_PASSWORD);
  await other.keyboard.press('Enter');
  await other.waitForURL('/main');
});
