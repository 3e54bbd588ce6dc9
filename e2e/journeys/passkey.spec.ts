import type { Page } from '@playwright/test';
import { expectAccessible, expectGood } from '../support/accessibility.ts';
import { expect, test } from '../support/journey.ts';

/** A phone with a fingerprint reader, as Chromium imitates it; its passkeys go to another page. */
async function connectPhone(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    async take(credentials: Awaited<ReturnType<typeof this.credentials>>) {
      for (const credential of credentials) {
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
      }
    },
  };
}

test('a learner adds a passkey, logs in with it without a password, and removes it', async ({
  newLearner,
  newVisitor,
}) => {
  const { page, account } = await newLearner();
  const phone = await connectPhone(page);
  await page.goto('/settings/security');
  const panel = page.getByRole('region', { name: '패스키' });
  await panel.getByRole('button', { name: '패스키 추가' }).click();
  await expect(panel.getByRole('listitem')).toContainText('아직 쓰지 않음');
  await panel.getByRole('button', { name: '패스키 1 이름 바꾸기' }).click();
  await expect(panel.getByLabel('패스키 이름')).toBeFocused();
  await panel.getByLabel('패스키 이름').fill('내 휴대폰');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('내 휴대폰')).toBeVisible();
  await expectGood(page);

  const visitor = await newVisitor();
  const samePhone = await connectPhone(visitor);
  await samePhone.take(await phone.credentials());
  await visitor.goto('/login?next=%2Fstatistics');
  await samePhone.setUserVerified(false);
  await visitor.getByText('다른 방법으로 로그인').click();
  const logIn = visitor.getByRole('button', { name: '패스키로 로그인' });
  await logIn.click();
  await expect(visitor.getByText('패스키 확인을 취소했거나 시간이 지났어요.')).toBeVisible();
  await expectAccessible(visitor);
  await samePhone.setUserVerified(true);
  await logIn.click();
  await visitor.waitForURL('/statistics');
  await expect(visitor.getByText(account.nickname).first()).toBeVisible();

  await page.reload();
  await expect(panel.getByRole('listitem')).toContainText('마지막 사용');
  await panel.getByRole('button', { name: '내 휴대폰 지우기' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '지우기' }).click();
  await expect(panel.getByText('등록한 패스키가 없어요.')).toBeVisible();
});
