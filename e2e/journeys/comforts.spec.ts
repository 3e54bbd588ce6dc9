import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import {
  enterFromMain,
  expect,
  expectMovingPicture,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';

/** The fake camera draws edges of 60; blurred they are 5 in the preview and 8 as they are sent. */
const SHARP_MIN = 30;
const BLURRED_MAX = 15;

/** How steep the edges of a shown frame are, 0 to 255 from one pixel to the next: blurring makes them flat. */
async function sharpness(video: Locator): Promise<number> {
  return video.evaluate(async (element) => {
    const shown = element as HTMLVideoElement;
    await new Promise((resolve) => shown.requestVideoFrameCallback(resolve));
    const canvas = new OffscreenCanvas(320, 180);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(shown, 0, 0, 320, 180);
    const { data } = context.getImageData(0, 0, 320, 180);
    // Green, of each pixel and its right neighbour; a few may be noise.
    const steps = Array.from({ length: 320 * 180 - 1 }, (_, pixel) =>
      Math.abs((data[4 * pixel + 1] ?? 0) - (data[4 * pixel + 5] ?? 0)),
    );
    return steps.sort((a, b) => b - a)[200] ?? 0;
  });
}

test('a blurred background is blurred before it is sent, also after a reload, and shown sharp by choice alone', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const { page } = first;
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  const preview = page.getByRole('dialog').locator('video');
  await expect.poll(() => sharpness(preview)).toBeGreaterThan(SHARP_MIN);
  await page.getByLabel('내 배경 흐리게 하기').check();
  await expect(async () => {
    await expect(preview).toBeVisible({ timeout: 1_000 });
    expect(await sharpness(preview)).toBeLessThan(BLURRED_MAX);
  }).toPass({ timeout: 40_000 });
  await passCameraCheck(page);
  await page.waitForURL(/\/studyroom\/\d+$/u);
  await enterFromMain(second.page);
  const sent = tileOf(second.page, first.account).locator('video');
  await expectMovingPicture(second.page, first.account);
  expect(await sharpness(sent)).toBeLessThan(BLURRED_MAX);
  const storedSound = () => page.evaluate(() => localStorage.getItem('mogakgong.ambient'));
  await page.keyboard.press('s');
  await expect.poll(storedSound).toContain('"isWanted":true');
  await page.reload();
  await expectClearOfBar(page.getByRole('button', { name: '이어서 듣기' }));
  await expectMovingPicture(second.page, first.account);
  expect(await sharpness(sent)).toBeLessThan(BLURRED_MAX);

  // Halfway the model answers no more: no picture, until the learner chooses.
  const seen = tileOf(second.page, first.account);
  await expect(failBlur(page)).resolves.toBe(1);
  await expect(seen).toHaveAttribute('data-tile-view', 'cameraOff');
  await page.getByRole('button', { name: '흐리지 않고 켜기' }).click();
  await expectMovingPicture(second.page, first.account);
  await expect.poll(() => sharpness(sent)).toBeGreaterThan(SHARP_MIN);

  // While the model is downloaded the neighbour does not keep the sharp picture.
  const stalled = Promise.withResolvers<void>();
  await page.context().route('**/*.tflite', async (route) => {
    await stalled.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: '화면·소리' }).click();
  await page.getByLabel('내 배경 흐리게 하기').check();
  await expect(seen).toHaveAttribute('data-tile-view', 'paused');
  stalled.resolve();
  await expectMovingPicture(second.page, first.account);
  expect(await sharpness(sent)).toBeLessThan(BLURRED_MAX);
});

/** A toast leaves every button of the room's bar to be pressed. */
async function expectClearOfBar(toast: Locator): Promise<void> {
  await expect(toast).toBeVisible();
  const bar = toast.page().locator('[data-bar]');
  const gapPx = async () => {
    const [above, below] = await Promise.all([bar.boundingBox(), toast.boundingBox()]);
    return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? Number.NaN);
  };
  await expect.poll(gapPx).toBeGreaterThanOrEqual(0);
}

/** Takes the model's answer away in the page's workers that have one; answers how many there are. */
async function failBlur(page: Page): Promise<number> {
  const blurring = page.workers().filter((worker) => worker.url().includes('blur-worker'));
  for (const worker of blurring) {
    await worker.evaluate(() => {
      Object.assign(OffscreenCanvas.prototype, {
        transferToImageBitmap: () => {
          throw new Error('no answer');
        },
      });
    });
  }
  return blurring.length;
}

test('the room floats in a window of its own with clock, keys and neighbours, and ends with the room', async ({
  newLearner,
}) => {
  // The second has a browser that floats nothing but videos.
  const [first, second] = await Promise.all([
    newLearner(),
    newLearner((page) =>
      page.addInitScript(() => Reflect.deleteProperty(window, 'documentPictureInPicture')),
    ),
  ]);
  const { page } = first;
  await enterFromMain(page);
  await enterFromMain(second.page);
  await expectMovingPicture(page, second.account);
  const tile = await tileOf(page, second.account).locator('video').elementHandle();

  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('m');
  const mini = await opening;
  await expect(mini).toHaveTitle('모각공 작은 창');
  await expect(mini.getByText('집중', { exact: true })).toBeVisible();
  const time = await mini.getByRole('timer').textContent();
  await expect(mini.getByRole('timer')).not.toHaveText(String(time));
  await expect(mini.getByRole('listitem').getByText(second.account.nickname)).toBeVisible();
  await mini
    .locator('video')
    .evaluate(
      (video) =>
        new Promise((resolve) => (video as HTMLVideoElement).requestVideoFrameCallback(resolve)),
    );
  await expectAccessible(mini);

  await mini.keyboard.press('b');
  await expect(tileOf(page, first.account)).toHaveAttribute('data-focus', 'pause');
  await mini.getByRole('button', { name: '다시 집중' }).click();
  await expect(tileOf(page, first.account)).toHaveAttribute('data-focus', 'focus');
  // Nothing in the room was mounted again.
  expect(await tile?.evaluate((video) => video.isConnected)).toBe(true);

  await page.getByRole('button', { name: '나가기' }).click();
  await expect.poll(() => mini.isClosed()).toBe(true);

  const floatingWidth = () =>
    second.page.evaluate(
      () => (document.pictureInPictureElement as HTMLVideoElement | null)?.videoWidth ?? 0,
    );
  await second.page.keyboard.press('m');
  await expect.poll(floatingWidth).toBe(480);
  await second.page.keyboard.press('m');
  await expect.poll(floatingWidth).toBe(0);
});
