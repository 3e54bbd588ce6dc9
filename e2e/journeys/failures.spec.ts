import { chromium } from '@playwright/test';
import { mediaPid } from '../../test/running-stack.ts';
import config from '../playwright.config.ts';
import {
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  expectMovingPicture,
  logInByForm,
  test,
  tileOf,
} from '../support/journey.ts';

const noCamera = '카메라 권한이 없거나 장치가 연결되어 있지 않아요.';

test('a refused camera is said so with what to do, and a retry after allowing it works', async ({
  url,
}) => {
  // Without this flag a headless Chromium refuses the camera, as a learner can.
  const { args = [], executablePath } = config.use?.launchOptions ?? {};
  const refusing = args.filter((flag) => flag !== '--use-fake-ui-for-media-stream');
  const browser = await chromium.launch({ executablePath, args: refusing });
  try {
    const context = await browser.newContext({ baseURL: url, locale: 'ko-KR' });
    const page = await context.newPage();
    const account = await createAccount();
    await page.goto('/email-login');
    await logInByForm(page, account);
    await page.waitForURL('/main');
    await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(noCamera)).toBeVisible();
    await expect(dialog.getByText('브라우저에서 카메라가 차단되어 있어요')).toBeVisible();

    await context.grantPermissions(['camera'], { origin: url });
    // The page may notice by itself that the permission changed; the button is for when it cannot.
    const retry = dialog.getByRole('button', { name: '다시 시도' });
    const enter = dialog.getByRole('button', { name: '입장하기' });
    await expect(async () => {
      if (await retry.isVisible()) await retry.click();
      await expect(enter).toBeEnabled({ timeout: 1_000 });
    }).toPass();
    await enter.click();
    await page.waitForURL(/\/studyroom\/\d+$/u);
    await expectMovingPicture(page, account);
  } finally {
    await browser.close();
  }
});

test('a direct link asks for the camera first, and without one says so and seats nobody', async ({
  url,
}) => {
  const { args = [], executablePath } = config.use?.launchOptions ?? {};
  const without = args.filter((flag) => !flag.includes('media-stream'));
  const browser = await chromium.launch({ executablePath, args: without });
  try {
    const context = await browser.newContext({ baseURL: url, locale: 'ko-KR' });
    const page = await context.newPage();
    const account = await createAccount();
    const room = await enterByApi(await createAccount());
    await page.goto(`/studyroom/${room}`);
    await page.getByRole('link', { name: '이메일로 로그인' }).click();
    await logInByForm(page, account);
    await page.waitForURL(`/studyroom/${room}`);
    await expect(page.getByRole('dialog').getByText(noCamera)).toBeVisible();
    await expect(page.getByRole('button', { name: '다시 시도' })).toBeVisible();
    await expect(page.getByTestId('participant-grid')).toHaveCount(0);
    await page.getByRole('button', { name: '취소' }).click();
    await page.waitForURL('/main');
  } finally {
    await browser.close();
  }
});

test('a media server that dies is said so, and the pictures come back by themselves', async ({
  newLearner,
  stack,
}) => {
  const [first, second] = [await newLearner(), await newLearner()];
  const room = await enterFromMain(first.page);
  await enterFromMain(second.page);
  await expectMovingPicture(first.page, second.account);

  process.kill(await mediaPid(stack), 'SIGKILL');

  const notice = first.page
    .getByText('연결이 불안정해요. 다시 연결하는 중')
    .or(first.page.getByText('영상 서버에 연결할 수 없어요. 곧 다시 연결돼요.'));
  await expect(notice.first()).toBeVisible();
  await expect(notice).toHaveCount(0, { timeout: 40_000 });
  await expectMovingPicture(first.page, second.account);
  await expectMovingPicture(second.page, first.account);
  expect(first.page.url()).toContain(`/studyroom/${room}`);
  await expect(tileOf(first.page, first.account)).toHaveCount(1);
});
