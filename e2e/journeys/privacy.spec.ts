import { readFile } from 'node:fs/promises';
import { login } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { expectGood } from '../support/accessibility.ts';
import {
  type Account,
  askAs,
  enterFromMain,
  expect,
  logInByForm,
  PASSWORD,
  test,
  tileOf,
} from '../support/journey.ts';

/** The limit after which nothing of an ended log-in is left (issue of accounts). */
const ENDED_WITHIN_MS = 5_000;
/** A deletion at once waits ten seconds, and its job runs every ten. */
const DELETED_WITHIN_MS = 30_000;

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Asks for a deletion in the settings. */
async function leave(page: Page, when: string): Promise<void> {
  await page.goto('/settings/privacy');
  const deletion = panel(page, '탈퇴');
  await deletion.getByRole('button', { name: '탈퇴하기' }).click();
  await deletion.getByText(when, { exact: true }).click();
  await deletion.getByRole('checkbox').check();
  await expectGood(page);
  await deletion.getByRole('button', { name: '탈퇴 신청' }).click();
  await page.waitForURL('/login');
}

async function logIn(page: Page, account: Account): Promise<void> {
  await page.goto('/email-login');
  await logInByForm(page, account);
}

test('a learner downloads everything that is stored about them', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  await page.goto('/settings/privacy');
  const downloading = page.waitForEvent('download');
  await panel(page, '내 데이터 내려받기').getByRole('button', { name: '내려받기' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('mogakgong.zip');
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(Buffer.from(files['account.json'] ?? []).toString()).toContain(account.nickname);
  await expect(page.getByText('내려받았어요.')).toBeVisible();
  await expectGood(page);
});

test('a learner who asked for a deletion is gone for others at once, and may come back', async ({
  newLearner,
}) => {
  const [witness, leaver] = [await newLearner(), await newLearner()];
  await enterFromMain(witness.page);
  await enterFromMain(leaver.page);
  const tile = tileOf(witness.page, leaver.account);
  await expect(tile).toHaveCount(1);
  await leave(leaver.page, '7일 뒤');
  await expect(leaver.page.getByText(/까지 로그인하면 취소할 수 있어요/u)).toBeVisible();
  await expect(tile).toHaveCount(0, { timeout: ENDED_WITHIN_MS });

  const { page, account } = leaver;
  await logIn(page, account);
  await expect(page.getByRole('heading', { name: '탈퇴를 신청한 계정이에요' })).toBeVisible();
  await page.goto('/statistics');
  await expect(page.getByRole('heading', { name: '탈퇴를 신청한 계정이에요' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: '탈퇴 취소하기' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '내 공부 기록' })).toBeVisible();
});

test('a learner who leaves at once cannot log in any more', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  await leave(page, '바로');
  await expect
    .poll(
      async () => {
        const body = { email: account.email, password: PASSWORD };
        return (await askAs(null, login, { body })).status;
      },
      { timeout: DELETED_WITHIN_MS, intervals: [2_000] },
    )
    .toBe(401);
  await logIn(page, account);
  await expect(page.getByText('이메일 또는 비밀번호가 올바르지 않아요.')).toBeVisible();
});
