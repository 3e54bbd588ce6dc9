import { mediaPid } from '../../test/running-stack.ts';
import { builtFile } from '../support/built-file.ts';
import { keepConnections, receivedBytes } from '../support/connections.ts';
import * as firefox from '../support/firefox.ts';
import { INSECURE_HOST } from '../support/firefox-browser.ts';
import { enterFromMain, expect, expectMovingPicture, tileOf } from '../support/journey.ts';
import { startRefusingProxy } from '../support/refusing-proxy.ts';
import { askedConstraints, soundInConnections, watchSound } from '../support/sound.ts';

const { test } = firefox;

// One worker, and so one start of Firefox.
test.describe.configure({ mode: 'default' });

test('a learner in Firefox and one in Chromium share a room', async ({
  newFirefoxLearner,
  newLearner,
  stack,
}) => {
  const [fox, other] = await Promise.all([newFirefoxLearner(), newLearner()]);

  await test.step('Firefox and Chromium see each other in silence, talk, and a camera goes off and on', async () => {
    await fox.page.evaluateOnNewDocument(keepConnections);
    await fox.page.evaluateOnNewDocument(watchSound);
    await fox.page.reload();
    await firefox.enterFromMain(fox.page);
    await enterFromMain(other.page);
    await expectMovingPicture(other.page, fox.account);
    await firefox.expectMovingPicture(fox.page, other.account);

    expect((await fox.page.evaluate(receivedBytes)).video).toBeGreaterThan(0);
    expect(await fox.page.evaluate(soundInConnections)).toEqual({ tracks: 0, bytes: 0 });
    const asked = await fox.page.evaluate(askedConstraints);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ audio }) => audio)).toEqual([]);

    // Firefox cannot blur, and does not offer it.
    await firefox.press(fox.page, '화면·소리');
    await firefox.seeText(fox.page, '배경 소리');
    const titles = await fox.page.$$eval('h3', (all) => all.map(({ textContent }) => textContent));
    expect(titles).not.toContain('배경 흐림');
    await fox.page.keyboard.press('Escape');

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

  await test.step('Firefox comes back after the media server was killed; a second tab takes the seat over', async () => {
    // Looked for at each change of the page: a repair may be quick.
    const lost = fox.page.waitForSelector(':not([data-room-state=connected])[data-room-state]', {
      timeout: 40_000,
    });
    process.kill(await mediaPid(stack), 'SIGKILL');
    await lost;
    await fox.page.waitForSelector('[data-room-state=connected]', { timeout: 40_000 });
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
});

test('Firefox says that an address without https gives no camera, and what to do', async ({
  newFirefoxLearner,
  url,
}) => {
  const { page } = await newFirefoxLearner(url.replace('localhost', INSECURE_HOST));
  await firefox.press(page, '스터디룸 입장하기');
  await firefox.seeText(page, '안전하지 않은 주소라서 카메라를 쓸 수 없어요');
  await firefox.seeText(page, '주소를 https://로 시작하게');
});

test('Firefox tries code and texts again that it could not have', async ({
  newFirefoxLearner,
  stack,
}) => {
  const proxy = await startRefusingProxy(stack);
  try {
    const { page, account } = await newFirefoxLearner(proxy.url);
    const open = async (entry: string) => {
      await firefox.press(page, `${account.nickname} 메뉴`);
      await page.locator(`::-p-aria([name="${entry}"][role="menuitem"])`).click();
    };
    const failsUntilRetried = async (entry: string, module: string, heading: string) => {
      proxy.refuse([builtFile(module)]);
      await open(entry);
      await firefox.seeText(page, '이 화면을 불러오지 못했어요');
      const before = proxy.refusals();
      await firefox.press(page, '다시 시도');
      await expect.poll(() => proxy.refusals()).toBeGreaterThan(before);
      proxy.refuse([]);
      // The button of the try that fails now may be there until its failure is shown.
      await expect(async () => {
        await (await page.$('::-p-aria([name="다시 시도"][role="button"])'))?.click();
        const found = `::-p-xpath(//h1[contains(., "${heading}")])`;
        await page.waitForSelector(found, { timeout: 2_000 });
      }).toPass();
    };
    await failsUntilRetried('통계', 'pages/statistics/statistics-page.tsx', '내 공부 기록');
    await failsUntilRetried('설정', 'shared/i18n/account.ko.json', '설정');

    proxy.refuse([builtFile('shared/i18n/common.en.json')]);
    await open('View in English');
    await firefox.seeText(page, '언어를 바꾸지 못했어요');
    proxy.refuse([]);
    await open('View in English');
    await page.waitForSelector('html[lang=en]');
  } finally {
    await proxy.close();
  }
});
