import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expectGood } from '../support/accessibility.ts';
import { enterFromMain, expect, PASSWORD, test } from '../support/journey.ts';

const NEW_PASSWORD = 'Green-desk-7';

test('a forgotten password is replaced by the link of a mail', async ({
  newLearner,
  newVisitor,
  stack,
}) => {
  const { page: before, account } = await newLearner();
  await enterFromMain(before);
  const page = await newVisitor();
  await page.goto('/email-login');
  await page.getByRole('link', { name: '아이디·비밀번호 찾기' }).click();
  await page.waitForURL('/password-reset');
  const email = page.getByLabel('이메일', { exact: true });
  await expect(email).toBeVisible();
  await expectGood(page);
  await email.fill(account.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('이 사이트는 아직 메일을 보낼 수 없어요.')).toBeVisible();
  await expectGood(page);

  await page.goto(await mailedLink(stack.dataDir, account.email));
  await page.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('새 비밀번호 확인', { exact: true }).fill(NEW_PASSWORD);
  await expectGood(page);
  const used = page.url();
  await page.keyboard.press('Enter');
  await page.waitForURL('/email-login');
  await expect(page.getByText('새 비밀번호로 로그인해 주세요.')).toBeVisible();
  await before.waitForURL(/\/login/u, { timeout: 5_000 });
  await email.fill(account.email);
  await page.getByLabel('비밀번호', { exact: true }).fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('/main');

  const thief = await newVisitor();
  await thief.goto(used);
  await thief.getByLabel('새 비밀번호', { exact: true }).fill(PASSWORD);
  await thief.getByLabel('새 비밀번호 확인', { exact: true }).fill(PASSWORD);
  await thief.keyboard.press('Enter');
  await expect(thief.getByText(/^이미 썼거나 30분이 지난 링크예요/u)).toBeVisible();
});

/** The link in the mail to an address, in the outbox of a site without a mail server. */
async function mailedLink(dataDir: string, email: string): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  let link = '';
  await expect(async () => {
    for (const name of await readdir(outbox)) {
      const mail = await readFile(path.join(outbox, name), 'utf8');
      if (mail.startsWith(`To: ${email}\n`)) link = /^http\S+$/mu.exec(mail)?.[0] ?? '';
    }
    expect(link).not.toBe('');
  }).toPass();
  return link;
}
