import { mediaPid } from '../../test/running-stack.ts';
import * as firefox from '../support/firefox.ts';
import { enterFromMain, expect, expectMovingPicture, tileOf } from '../support/journey.ts';

const { test } = firefox;

test('Firefox and Chromium see each other, talk, and a camera goes off and on', async ({
  newFirefoxLearner,
  newLearner,
}) => {
  const [fox, other] = await Promise.all([newFirefoxLearner(), newLearner()]);
  await firefox.enterFromMain(fox.page);
  await enterFromMain(other.page);
  await expectMovingPicture(other.page, fox.account);
  await firefox.expectMovingPicture(fox.page, other.account);

  await firefox.press(fox.page, '채팅 열기');
  await fox.page.locator('::-p-aria([name="메시지"][role="textbox"])').fill('여기는 파이어폭스');
  await fox.page.keyboard.press('Enter');
  await other.page.getByRole('button', { name: /^채팅 열기/u }).click();
  await expect(other.page.getByText('여기는 파이어폭스')).toBeVisible();
  await other.page.getByRole('textbox', { name: '메시지' }).fill('잘 보여요');
  await other.page.keyboard.press('Enter');
  await firefox.seeText(fox.page, '잘 보여요');

  await firefox.press(fox.page, '카메라 끄기');
  await expect(tileOf(other.page, fox.account).locator('video')).toHaveCount(0);
  await firefox.press(fox.page, '카메라 켜기');
  await expectMovingPicture(other.page, fox.account);
});

test('Firefox comes back after the media server was killed; a second tab takes the seat over', async ({
  newFirefoxLearner,
  newLearner,
  stack,
}) => {
  const [fox, other] = await Promise.all([newFirefoxLearner(), newLearner()]);
  await firefox.enterFromMain(fox.page);
  await enterFromMain(other.page);
  await firefox.expectMovingPicture(fox.page, other.account);

  process.kill(await mediaPid(stack), 'SIGKILL');
  const isConnected = () =>
    fox.page.$eval('[data-room-state]', (line) => line.getAttribute('data-room-state'));
  await expect.poll(isConnected, { timeout: 40_000 }).not.toBe('connected');
  await expect.poll(isConnected, { timeout: 40_000 }).toBe('connected');
  await firefox.expectMovingPicture(fox.page, other.account);
  await expectMovingPicture(other.page, fox.account);

  const tab = await fox.page.browserContext().newPage();
  await tab.goto(fox.page.url());
  await firefox.passCameraCheck(tab);
  await firefox.expectMovingPicture(tab, other.account);
  await fox.page.bringToFront();
  await firefox.seeText(fox.page, '다른 곳에서 이 방을 열었어요');
  await firefox.press(fox.page, '여기서 사용하기');
  await firefox.expectMovingPicture(fox.page, other.account);
});
