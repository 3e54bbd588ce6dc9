import type { Locator, Page } from '@playwright/test';
import { enterFromMain, expect, test, tileOf } from '../support/journey.ts';

const photo = 'docs/images/study-room.png';
const UPLOAD = '**/api/images/upload';

const panel = (page: Page) => page.getByRole('region', { name: '회원 정보' });
const cropDialog = (page: Page) => page.getByRole('dialog', { name: '사진 자르기' });
const save = (page: Page) => cropDialog(page).getByRole('button', { name: '저장' }).click();

/** Chooses a file as the window of the operating system would. */
async function choosePhoto(page: Page, file: Parameters<Locator['setInputFiles']>[0] = photo) {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: '사진 바꾸기' }).click();
  await (await choosing).setFiles(file);
}

/** Whether a picture was downloaded and can be seen. */
const isDrawn = (image: Locator) =>
  expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBe(256);

test('a learner crops and uploads a picture, and everybody in the room sees it at once', async ({
  newLearner,
}) => {
  const [learner, other] = [await newLearner(), await newLearner()];
  await enterFromMain(learner.page);
  await enterFromMain(other.page);
  await learner.page.getByRole('button', { name: '카메라 끄기' }).click();
  const tile = tileOf(other.page, learner.account);
  const firstLetter = learner.account.nickname.charAt(0).toUpperCase();
  await expect(tile).toHaveAttribute('data-tile-view', 'cameraOff');
  await expect(tile.locator('.tile-reason')).toContainText(firstLetter);

  await learner.page.getByRole('button', { name: `${learner.account.nickname} 메뉴` }).click();
  await learner.page.getByRole('menuitem', { name: '마이페이지' }).click();
  await choosePhoto(learner.page);
  const dialog = cropDialog(learner.page);
  await dialog.getByLabel('확대').fill('2');
  await dialog.getByLabel('가로 위치').fill('0.2');
  await save(learner.page);
  await expect(learner.page.getByText('프로필 사진을 바꿨어요.')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  const own = panel(learner.page).locator('img');
  await expect(own).toHaveAttribute('src', /\/files\/images\/[0-9a-f]{64}\.webp$/u);
  await isDrawn(own);
  const address = String(await own.getAttribute('src'));
  await expect(learner.page.getByRole('banner').locator('img')).toHaveAttribute('src', address);
  await expect(tile.locator('img')).toHaveAttribute('src', address);
  await isDrawn(tile.locator('img'));

  await learner.page.reload();
  await expect(own).toHaveAttribute('src', address);
  await learner.page.getByRole('button', { name: '기본 사진으로' }).click();
  await expect(learner.page.getByText('기본 사진으로 바꿨어요.')).toBeVisible();
  await expect(tile.locator('.tile-reason')).toContainText(firstLetter);
});

test('an upload can be cancelled, and repeated after a failure; what is no picture is refused', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await page.goto('/mypage');
  const own = panel(page).locator('img');
  const letter = panel(page).locator('svg text');
  const firstLetter = account.nickname.charAt(0).toUpperCase();
  await expect(letter).toHaveText(firstLetter);

  await choosePhoto(page, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText('이미지 파일만 올릴 수 있어요.')).toBeVisible();
  await choosePhoto(page, { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('hello') });
  await expect(page.getByText('사진을 읽을 수 없어요. 다른 사진을 선택해 주세요.')).toBeVisible();
  await expect(cropDialog(page)).toHaveCount(0);

  // An upload that never ends.
  await page.route(UPLOAD, () => undefined);
  await choosePhoto(page);
  const isSent = page.waitForRequest(UPLOAD);
  await save(page);
  await isSent;
  await expect(cropDialog(page).getByRole('progressbar')).toBeVisible();
  const cancelled = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await cropDialog(page).getByRole('button', { name: '취소' }).click();
  await cancelled;
  await expect(cropDialog(page)).toHaveCount(0);
  await expect(letter).toHaveText(firstLetter);
  await page.unroute(UPLOAD);

  await page.route(UPLOAD, (route) => route.fulfill({ status: 502, body: '' }));
  await choosePhoto(page);
  await save(page);
  await expect(cropDialog(page).getByText('사진 업로드에 실패했습니다.')).toBeVisible();
  await page.unroute(UPLOAD);
  await save(page);
  await expect(page.getByText('프로필 사진을 바꿨어요.')).toBeVisible();
  await expect(own).toHaveAttribute('src', /\/files\/images\//u);
});
