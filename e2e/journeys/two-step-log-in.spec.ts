import { appCode } from '../../apps/api/test/authenticator-app.ts';
import { expectAccessible, expectGood } from '../support/accessibility.ts';
import { expect, logInByForm, test } from '../support/journey.ts';

const STEP_MS = 30_000;

test('a learner turns two-step log-in on, and logs in by a code of the app and by a recovery code', async ({
  newLearner,
  newVisitor,
}) => {
  const { page, account } = await newLearner();
  await page.goto('/settings/security');
  await page.getByRole('button', { name: '2단계 인증 켜기' }).click();
  const setUp = page.getByRole('dialog', { name: '2단계 인증 켜기' });
  await expect(setUp.getByRole('img', { name: /QR/u })).toBeVisible();
  await expectGood(page);
  const secret = (await setUp.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  await setUp.getByLabel('6자리 코드').fill(appCode(secret, new Date()));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('alertdialog', { name: '복구 코드' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const [recoveryCode = ''] = await codes.getByRole('listitem').allTextContents();
  const download = page.waitForEvent('download');
  await codes.getByRole('button', { name: '파일로 저장' }).click();
  expect((await download).suggestedFilename()).toBe('mogakgong-recovery-codes.txt');
  await codes.getByRole('button', { name: '보관했어요' }).click();
  await expect(page.getByText('남은 복구 코드 10개')).toBeVisible();

  // The code of the present step is used up; the next one is accepted already.
  const next = appCode(secret, new Date(Date.now() + STEP_MS));
  for (const code of [next, recoveryCode]) {
    const visitor = await newVisitor();
    await visitor.goto('/email-login?next=%2Fstatistics');
    await logInByForm(visitor, account);
    await visitor.waitForURL(/\/login\/second-factor/u);
    const field = visitor.getByLabel('코드', { exact: true });
    await expect(field).toBeFocused();
    await field.fill('000000');
    await visitor.keyboard.press('Enter');
    await expect(visitor.getByText('코드가 올바르지 않거나 이미 쓴 코드예요.')).toBeVisible();
    await expectAccessible(visitor);
    await field.fill(code);
    await visitor.keyboard.press('Enter');
    await visitor.waitForURL('/statistics');
  }
  await page.reload();
  await expect(page.getByText('남은 복구 코드 9개')).toBeVisible();
});
