import { putPomodoro } from '@mogakgong/contract';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { downloadedKbitPerSecond, keepConnections, receivedBytes } from '../support/connections.ts';
import {
  callAs,
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  expectMovingPicture,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';
import { shiftOf, watchShift } from '../support/layout-shift.ts';
import { keepFromSaving } from '../support/saving.ts';
import { askedConstraints, expectSound, soundInConnections, watchSound } from '../support/sound.ts';
import { lengthenVisit } from '../support/study-history.ts';

/** Others are told in less than a second; a busy machine, and how often one looks, may add to it. */
const GONE_WITHIN_MS = 5_000;

test('two and then three learners see each other’s moving pictures; a learner who leaves is gone', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  // The tile of a learner who leaves fades out before it is gone.
  await first.page.emulateMedia({ reducedMotion: 'no-preference' });
  const room = await enterFromMain(first.page);
  expect(await enterFromMain(second.page)).toBe(room);
  await expectMovingPicture(first.page, second.account);
  await expectMovingPicture(second.page, first.account);

  const third = await newLearner();
  expect(await enterFromMain(third.page)).toBe(room);
  await Promise.all([
    expectMovingPicture(third.page, first.account),
    expectMovingPicture(third.page, second.account),
    expectMovingPicture(first.page, third.account),
    expectMovingPicture(second.page, third.account),
  ]);
  await expect(first.page.locator('[data-participant-identity]')).toHaveCount(3);

  await second.page.getByRole('button', { name: '나가기' }).click();
  await expect(tileOf(first.page, second.account)).toHaveCount(0, { timeout: GONE_WITHIN_MS });
  await expect(tileOf(third.page, second.account)).toHaveCount(0, { timeout: GONE_WITHIN_MS });
  await second.page.waitForURL('/main');

  // Who closes the browser has no tile either, whose clock would run on; their seat waits for them.
  await third.page.context().close();
  await expect(tileOf(first.page, third.account)).toHaveCount(0, { timeout: 30_000 });
  await first.page.getByRole('button', { name: '1명' }).click();
  await expect(first.page.getByText(`연결이 끊긴 사람: ${third.account.nickname}`)).toBeVisible();
});

test('one learner hides the tile of another, reloads, and sees the other log out', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const room = await enterFromMain(first.page);
  await enterFromMain(second.page);

  await test.step('hiding a tile stops it and says so; showing brings it back', async () => {
    await expectMovingPicture(first.page, second.account);
    const name = second.account.nickname;
    const tile = tileOf(first.page, second.account);
    await tile.hover();
    await tile.getByRole('button', { name: `${name}님의 화면 숨기기` }).click();
    await expect(tile.getByText(`${name}님의 화면이 현재 숨겨져 있어요`)).toBeVisible();
    await expectAccessible(first.page);
    await expect(tile.locator('video')).toHaveCount(0);
    await tile.getByRole('button', { name: '다시 보기' }).click();
    await expectMovingPicture(first.page, second.account);
  });

  await test.step('a reload keeps the room, and the others keep seeing the learner', async () => {
    await expectMovingPicture(second.page, first.account);
    await first.page.reload();
    await expectMovingPicture(first.page, second.account);
    expect(first.page.url()).toContain(`/studyroom/${room}`);
    await expectMovingPicture(second.page, first.account);
  });

  await test.step('a log-out in the room gives up the seat', async () => {
    await second.page.getByRole('button', { name: `${second.account.nickname} 메뉴` }).click();
    await second.page.getByRole('menuitem', { name: '로그아웃' }).click();
    const question = second.page.getByRole('alertdialog', {
      name: '집중을 마치고 로그아웃할까요?',
    });
    await expectAccessible(second.page);
    await question.getByRole('button', { name: '마치고 로그아웃' }).click();
    await second.page.waitForURL('/login');
    await expect(tileOf(first.page, second.account)).toHaveCount(0, { timeout: GONE_WITHIN_MS });
  });
});

test('the room fits a phone and a narrow window', async ({ newLearner }) => {
  const { page } = await newLearner();
  await enterFromMain(page);

  await test.step('a phone has its bar at the bottom; Escape or a tap beside the list of people closes it, the focus goes back', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    // Clock and tools share one row; the status and the subject have a line of 18 px below it.
    const bar = page.locator('[data-bar]');
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(78);
    // One's own dot in the bar and on the tile, which is a small one here.
    const dots = page.getByRole('button', { name: '집중 중. 눌러서 휴식' });
    await expect(dots).toHaveCount(2);
    for (const dot of await dots.all()) {
      const smallerSide = async () => {
        const place = await dot.boundingBox();
        return Math.min(place?.width ?? 0, place?.height ?? 0);
      };
      // A tile that appears grows to its size.
      await expect.poll(smallerSide).toBeGreaterThanOrEqual(44);
    }
    await page.setViewportSize({ width: 567, height: 740 });
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(78);
    await page.setViewportSize({ width: 360, height: 740 });
    // What one needs most is at the bottom, in reach of the thumb, without the header of the site.
    await expect(page.getByRole('banner')).toBeHidden();
    for (const name of ['휴식', '자리 비움', '내 책상', '채팅 열기', '나가기']) {
      const place = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(place?.y).toBeGreaterThan(670);
      expect(Math.min(place?.width ?? 0, place?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    const toggle = page.getByRole('button', { name: '1명' });
    const list = page.getByRole('region', { name: '함께 있는 사람' });
    await toggle.click();
    await expect(list).toBeFocused();
    await expectAccessible(page);
    await page.getByRole('button', { name: '나가기' }).focus();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await expect(toggle).toBeFocused();
    await page.setViewportSize({ width: 600, height: 740 });
    await toggle.click();
    await page.mouse.click(20, 500);
    await expect(list).toHaveCount(0);
    await toggle.click();
    await toggle.click();
    await expect(list).toHaveCount(0);
  });

  await test.step('in a narrow window panel and chat replace each other; an outage is said above both and moves no tile', async () => {
    const desk = page.getByRole('button', { name: '내 책상' });
    const deskPanel = page.getByRole('region', { name: '내 책상' });
    const chat = page.locator('[data-chat-dock]');
    await desk.click();
    await expect(deskPanel).toBeFocused();
    await page.getByRole('button', { name: '채팅 열기' }).click();
    await expect(chat.getByRole('textbox')).toBeFocused();
    await expect(deskPanel).toHaveCount(0);
    await desk.click();
    await expect(deskPanel).toBeFocused();
    await expect(chat).toHaveCount(0);

    // In a middle window a panel stands in the place of the chat, whose button says so, and gives it back.
    await page.setViewportSize({ width: 1280, height: 740 });
    await desk.click();
    await page.getByRole('button', { name: '채팅 열기' }).click();
    const chatButton = page.locator('[data-dock="3"] > button');
    await expect(chatButton).toHaveAttribute('aria-expanded', 'true');
    await desk.click();
    await expect(chat).toBeHidden();
    await expect(chatButton).toHaveAttribute('aria-expanded', 'false');
    await desk.click();
    await expect(chat).toBeVisible();
    await expect(chatButton).toHaveAttribute('aria-expanded', 'true');
    await chatButton.click();
    await page.setViewportSize({ width: 600, height: 740 });
    await desk.click();

    const tile = page.locator('[data-participant-identity]');
    const before = await tile.boundingBox();
    await page.context().setOffline(true);
    const outage = page.locator('[data-outage] > *');
    await expect(outage).toContainText('인터넷 연결이 끊겼어요');
    expect(await tile.boundingBox()).toEqual(before);
    const { y = 0, height = 0 } = (await outage.boundingBox()) ?? {};
    await expect
      .poll(async () => (await deskPanel.boundingBox())?.y)
      .toBeGreaterThanOrEqual(y + height);
    await expectAccessible(page);
    await page.context().setOffline(false);
    await expect(outage).toHaveCount(0);
  });
});

test('nothing is pushed aside while a page of a seated learner is loaded', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await page.setViewportSize({ width: 390, height: 800 });
  const room = await enterFromMain(page);
  await watchShift(page);

  await test.step('on a phone a room that is opened again pushes nothing aside', async () => {
    await page.reload();
    await expectMovingPicture(page, account);
    await expect(page.getByText('아직 혼자예요')).toBeVisible();
    expect(await shiftOf(page)).toBeLessThan(0.05);
  });

  await test.step('a page that is loaded by a seated learner is not pushed aside by the bar', async () => {
    for (const path of ['/main', '/statistics', '/settings']) {
      await page.goto(path);
      const bar = page.getByRole('region', { name: `${room}번 스터디룸` });
      await expect(bar.getByRole('timer')).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await shiftOf(page), path).toBeLessThan(0.05);
    }
  });

  await test.step('on /main the way back to the seat stays in its place, right below what is loaded', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const answers = Promise.withResolvers<void>();
    await page.route('**/api/statistics/visits**', async (route) => {
      await answers.promise;
      await route.continue();
    });
    await page.goto('/main');
    const back = page.getByRole('link', { name: '내 자리로 돌아가기' });
    await expect(back).toBeVisible();
    const before = await back.boundingBox();
    answers.resolve();
    const line = page.getByText(/부터 앉아 있어요$/u);
    await expect(line).toBeVisible();
    const after = await back.boundingBox();
    expect(after).toEqual(before);
    const lineBox = await line.boundingBox();
    expect((after?.y ?? 0) - (lineBox?.y ?? 0) - (lineBox?.height ?? 0)).toBeLessThan(40);
  });
});

test('the 21st learner gets another room; a direct link to a full room offers one', async ({
  newLearner,
}) => {
  const seated = await Promise.all(Array.from({ length: 20 }, () => createAccount()));
  const { page } = await newLearner();
  // Fills whatever is free first, so that the last one seated sits in a room that is full now.
  let fullRoom = 0;
  const perRoom = new Map<number, number>();
  for (const account of seated) {
    const room = await enterByApi(account);
    perRoom.set(room, (perRoom.get(room) ?? 0) + 1);
  }
  const more = async () => {
    const account = await createAccount();
    const room = await enterByApi(account);
    return { account, room };
  };
  let previous = await more();
  for (;;) {
    const next = await more();
    if (next.room !== previous.room) {
      fullRoom = previous.room;
      break;
    }
    previous = next;
  }
  const room = await enterFromMain(page);
  expect(room).not.toBe(fullRoom);
  await page.getByRole('button', { name: '나가기' }).click();
  await page.waitForURL('/main');

  await page.goto(`/studyroom/${fullRoom}`);
  await expect(page.getByText('스터디룸의 자리가 모두 찼어요.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '다른 방 찾기' }).click();
  await passCameraCheck(page);
  await page.waitForURL(
    (url) => /\/studyroom\/\d+$/u.test(url.pathname) && !url.pathname.endsWith(`/${fullRoom}`),
  );
});

test('a second tab takes the seat over; the first says so and can take it back', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const room = await enterFromMain(page);
  await expectMovingPicture(page, account);
  const tab = await page.context().newPage();
  await tab.goto(`/studyroom/${room}`);
  await passCameraCheck(tab);
  await expectMovingPicture(tab, account);
  await expect(page.getByText('다른 곳에서 이 방을 열었어요')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '여기서 사용하기' }).click();
  await expectMovingPicture(page, account);
});

test('a room that does not exist is said to be missing, and no camera is asked for', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await page.goto('/studyroom/987654');
  await expect(page.getByText('존재하지 않는 스터디룸이에요').first()).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('other pages keep seat, camera and chat; a bar leads back and out, and one looks back', async ({
  newLearner,
  stack,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const room = await enterFromMain(first.page);
  await enterFromMain(second.page);
  await expectMovingPicture(second.page, first.account);
  const clock = tileOf(second.page, first.account).getByRole('timer');
  await expect(clock).not.toHaveText(/^0:00:0[01]$/u);

  const { page } = first;
  await page.getByRole('button', { name: `${first.account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '통계' }).click();
  await page.waitForURL('/statistics');
  const bar = page.getByRole('region', { name: `${room}번 스터디룸` });
  await expect(bar.getByText(`${room}번 스터디룸`)).toBeVisible();
  await expect(bar.getByText('카메라 켜짐')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await expectMovingPicture(second.page, first.account);
  await expectOneRunningClock(page, bar);

  // An outage is said here too.
  await page.context().setOffline(true);
  await expect(bar.getByText(/^인터넷 연결이 끊겼어요/u)).toBeVisible();
  await page.context().setOffline(false);
  await expect(bar.getByText(/^인터넷 연결이 끊겼어요/u)).toHaveCount(0);

  // What is said meanwhile is there on the way back.
  await second.page.getByRole('button', { name: '채팅 열기' }).click();
  await second.page.getByRole('textbox', { name: '메시지' }).fill('어디 갔어요?');
  await second.page.keyboard.press('Enter');
  await expect(second.page.getByText('어디 갔어요?')).toBeVisible();
  await page.goBack();
  await page.waitForURL(`/studyroom/${room}`);
  await expect(page.getByRole('button', { name: /새 메시지 1/u })).toBeVisible();
  await expectMovingPicture(page, second.account);

  // Back to /main keeps the seat too, and the visit was never interrupted.
  await page.getByRole('link', { name: '스터디룸', exact: true }).click();
  await page.waitForURL('/main');
  await expectMovingPicture(second.page, first.account);
  await expect(clock).not.toHaveText(/^0:00:0/u, { timeout: 30_000 });
  await page.getByRole('link', { name: '내 자리로 돌아가기' }).click();
  await expectMovingPicture(page, second.account);

  await page.getByRole('button', { name: `${first.account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '통계' }).click();
  await lengthenVisit(stack.dataDir, first.account.userId, 47);
  await bar.getByRole('button', { name: '나가기' }).press('Enter');
  await page.waitForURL('/main');
  await expect(tileOf(second.page, first.account)).toHaveCount(0, { timeout: GONE_WITHIN_MS });
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole('button', { name: '스터디룸 입장하기' })).toBeVisible();

  const goodbye = page.getByRole('region', { name: '수고했어요' });
  await expect(goodbye.getByRole('heading')).toBeFocused();
  // The visit may have begun before midnight.
  await expect(goodbye.getByRole('status')).toHaveText(/^4[78]분 집중 · 오늘 \d\d?분 · [12]일째$/u);
  await expect(goodbye.getByText(/^다음 칭호: /u)).toBeVisible();
  await expectAccessible(page);
  await goodbye.getByRole('button', { name: '닫기' }).click();
  await expect(goodbye).toHaveCount(0);
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  await expect(heading).toBeFocused();

  // After a visit with nothing to look back at, on /main itself.
  const again = await enterFromMain(page);
  await page.getByRole('link', { name: '스터디룸', exact: true }).click();
  await expect(page.getByText(`${again}번 스터디룸에 있어요.`)).toHaveCount(1);
  await expect(bar.getByRole('link')).toHaveCount(0);
  await bar.getByRole('button', { name: '휴식' }).click();
  await expect(tileOf(second.page, first.account)).toHaveAttribute('data-focus', 'pause');
  await bar.getByRole('button', { name: '나가기' }).press('Enter');
  await expect(bar).toHaveCount(0);
  await expect(heading).toBeFocused();
});

/** Above other pages: in a narrow window the clock of the bar, in a wide one that of the header. */
async function expectOneRunningClock(page: Page, bar: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  const inHeader = page.getByRole('banner').getByRole('timer');
  await expect(inHeader).toBeVisible();
  await expect(bar.getByRole('timer')).toBeHidden();
  await page.setViewportSize({ width: 360, height });
  await expect(inHeader).toBeHidden();
  await expect(bar.getByRole('timer')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width, height });
}

test('pictures come without sound, and go and come back with the camera', async ({
  newLearner,
}) => {
  const watch = async (page: Page) => {
    await page.addInitScript(keepConnections);
    await page.addInitScript(watchSound);
  };
  const [first, second] = await Promise.all([newLearner(watch), newLearner(watch)]);
  for (const { page } of [first, second]) await enterFromMain(page);
  await expectMovingPicture(first.page, second.account);

  await test.step('nobody is asked for a microphone and nobody receives sound', async () => {
    // A sound in the background is heard here, and is no part of the room.
    await first.page.keyboard.press('s');
    await expectSound(first.page, 'heard');
    await expectMovingPicture(second.page, first.account);
    for (const { page } of [first, second]) {
      // The connections that are looked at carry the pictures, and nothing else.
      expect((await page.evaluate(receivedBytes)).video).toBeGreaterThan(0);
      expect(await page.evaluate(soundInConnections)).toEqual({ tracks: 0, bytes: 0 });
    }
    await first.page.keyboard.press('s');
    await expectSound(first.page, 'silent');
    await first.page.keyboard.press('s');
    await expectSound(first.page, 'heard');
    for (const { page } of [first, second]) {
      const asked = await page.evaluate(askedConstraints);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((constraints) => constraints.audio)).toEqual([]);
      const audioTracks = await page
        .locator('video')
        .evaluateAll(
          (videos) =>
            videos.flatMap(
              (video) =>
                ((video as HTMLVideoElement).srcObject as MediaStream | null)?.getAudioTracks() ??
                [],
            ).length,
        );
      expect(audioTracks).toBe(0);
    }
    await first.page.reload();
    await first.page.getByRole('button', { name: '이어서 듣기' }).click();
    await expectSound(first.page, 'heard');
  });

  await test.step('the camera can be off for everybody, over a reload too, and comes back', async () => {
    const own = tileOf(first.page, first.account);
    const seen = tileOf(second.page, first.account);
    await first.page.getByRole('button', { name: '카메라 끄기' }).click();
    await expect(own).toHaveAttribute('data-tile-view', 'cameraOff');
    await expect(seen.locator('video')).toHaveCount(0);
    await expect(seen.getByText('카메라가 꺼져 있음')).toBeVisible();
    await expectAccessible(second.page);
    // Status and clock go on.
    await expect(seen.getByRole('timer')).toHaveText(/^0:00:/u);
    await first.page.reload();
    await expect(own).toHaveAttribute('data-tile-view', 'cameraOff');
    // A camera check for another room shows nothing to this one.
    await first.page.goto('/studyroom/99999');
    await first.page.getByRole('button', { name: '이 방으로 옮기기' }).click();
    const check = first.page.getByRole('dialog');
    await expect(check.locator('video')).toBeVisible();
    await expect(check.getByRole('button', { name: '입장하기' })).toBeEnabled();
    await expect(first.page.getByRole('region', { name: /번 스터디룸$/u })).toBeVisible();
    await expectAccessible(first.page);
    // Who comes without a camera, as after each load of the page, counts as starting it for ten seconds.
    await expect(seen).toHaveAttribute('data-tile-view', 'cameraOff', { timeout: 30_000 });
    await check.getByRole('button', { name: '취소' }).click();
    await first.page.getByRole('link', { name: '내 자리로 돌아가기' }).click();
    await expect(own).toHaveAttribute('data-tile-view', 'cameraOff');
    await first.page.getByRole('button', { name: '카메라 켜기' }).click();
    await expectMovingPicture(first.page, first.account);
    await expectMovingPicture(second.page, first.account);
  });
});

test('pictures are received in the size and place in which they are seen', async ({
  newLearner,
}) => {
  const keepUp = (page: Page) => page.addInitScript(keepFromSaving);
  const [first, second] = await Promise.all([newLearner(keepUp), newLearner(keepUp)]);
  const { page } = first;
  await page.evaluate(keepConnections);
  const roomId = await enterFromMain(page);
  await enterFromMain(second.page);

  await test.step('a tile gets the picture of its size; a hidden tab and a tile that is scrolled out get none after a second', async () => {
    await expectMovingPicture(page, second.account);
    const tile = tileOf(page, second.account);
    const video = await tile.locator('video').elementHandle();
    const pictureWidthPx = () =>
      video?.evaluate((element) => (element as HTMLVideoElement).videoWidth);
    await expect.poll(pictureWidthPx).toBe(640);

    // Chromium under test keeps every page visible, so that the page is given the sign alone.
    const setHidden = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        const visibilityState = hidden ? 'hidden' : 'visible';
        for (const [name, value] of Object.entries({ hidden, visibilityState })) {
          Object.defineProperty(document, name, { value, configurable: true });
        }
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await setHidden(true);
    await expect.poll(() => downloadedKbitPerSecond(page)).toBeLessThanOrEqual(5);
    await setHidden(false);
    await expectMovingPicture(page, second.account);

    // One tile below the other, and the second out of sight.
    await page.setViewportSize({ width: 400, height: 280 });
    await expect.poll(() => downloadedKbitPerSecond(page)).toBeLessThanOrEqual(5);
    await tile.scrollIntoViewIfNeeded();
    await expectMovingPicture(page, second.account);
    await expect.poll(pictureWidthPx).toBe(320);
    expect(await video?.evaluate((element) => element.isConnected)).toBe(true);
  });

  await test.step('twenty tiles leave faces free and fill the room; one is enlarged, and nothing else is shown on a key', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const account of await Promise.all(Array.from({ length: 18 }, () => createAccount()))) {
      await enterByApi(account);
    }
    await expect(page.locator('[data-participant-identity]')).toHaveCount(20);
    const tile = tileOf(page, second.account);
    await expectMovingPicture(page, second.account);
    await page.mouse.move(640, 5);
    await expect(tile.getByText(second.account.nickname)).toBeVisible();
    const measured = await page.evaluate(measureTiles);
    expect(measured.uncovered).toHaveLength(20);
    expect(Math.min(...measured.uncovered)).toBeGreaterThanOrEqual(0.85);
    expect(measured.filled).toBeGreaterThanOrEqual(0.8);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      await page.mouse.move(width / 2, 5);
      await expect.poll(() => page.evaluate(hiddenNames), `${width} px`).toEqual([]);
    }

    const video = await tile.locator('video').elementHandle();
    const widthOf = () => tile.evaluate((element) => element.clientWidth);
    const frameWidth = () =>
      tile.locator('video').evaluate((element) => (element as HTMLVideoElement).videoWidth);
    await expect.poll(frameWidth).toBe(320);
    await tile
      .getByRole('button', { name: `${second.account.nickname}님의 화면 키우기` })
      .press('Enter');
    await expect.poll(widthOf).toBeGreaterThan(640);
    // Also while the sender's picture hardly changes (decision 076).
    await expect.poll(frameWidth, { timeout: 5_000 }).toBe(640);
    await page.keyboard.press('Escape');
    await expect.poll(widthOf).toBeLessThan(320);
    expect(await tile.evaluate((element, before) => element.contains(before), video)).toBe(true);

    const bar = page.locator('[data-bar]');
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML');
    await expect(bar).toHaveCSS('opacity', '0', { timeout: 10_000 });
    await expectAccessible(page);
    await expect(tile.getByRole('timer')).toBeVisible();
    const ownClock = page.locator('.full-screen-clock').getByRole('timer').first();
    expect((await ownClock.boundingBox())?.height).toBeGreaterThan(48);
    await page.mouse.move(600, 300);
    await expect(bar).toHaveCSS('opacity', '1');
    // The button that ends it is beside the clock, over no picture.
    const strip = await page.locator('.full-screen-clock').boundingBox();
    const end = await page.getByRole('button', { name: '전체 화면 끝내기' }).boundingBox();
    expect(end?.y).toBeGreaterThanOrEqual(Number(strip?.y));
    const body = { focusMinutes: 25, breakMinutes: 5 };
    await callAs(second.account, putPomodoro, { params: { roomId }, body });
    const toast = page.locator('[data-toasts] > *').filter({ hasText: second.account.nickname });
    await expect(toast).toBeVisible();
    await page.mouse.move(640, 300);
    const [barBox, toastBox] = await Promise.all([bar.boundingBox(), toast.boundingBox()]);
    expect(toastBox?.y).toBeGreaterThanOrEqual(Number(barBox?.y) + Number(barBox?.height));
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    await expect(page.getByRole('button', { name: '채팅 열기' })).toBeVisible();
    await page.keyboard.press('v');
    await expect(page.getByText('나에게만 숨겼어요.')).toBeVisible();
    await expectMovingPicture(second.page, first.account);
  });
});

/** Runs in the page: the tiles whose name is not drawn whole in height, within them and opaque. */
function hiddenNames(): (string | undefined)[] {
  const isShown = (tile: HTMLElement) => {
    const name = tile.querySelector('.tile-name');
    if (!name?.textContent?.trim() || !name.checkVisibility({ visibilityProperty: true }))
      return false;
    for (let part: Element | null = name; part; part = part.parentElement) {
      if (Number(getComputedStyle(part).opacity) < 1) return false;
    }
    const [box, frame] = [name.getBoundingClientRect(), tile.getBoundingClientRect()];
    const isWithin =
      box.left >= frame.left &&
      box.right <= frame.right &&
      box.top >= frame.top &&
      box.bottom <= frame.bottom;
    return isWithin && box.width >= 24 && box.height >= 12;
  };
  const tiles = [...document.querySelectorAll<HTMLElement>('[data-participant-identity]')];
  return tiles.filter((tile) => !isShown(tile)).map((tile) => tile.textContent ?? undefined);
}

/** Runs in the page: how much of each picture nothing lies on, and of the room below the bar tiles fill. */
function measureTiles() {
  const STEP_PX = 2;
  const tiles = [...document.querySelectorAll('[data-participant-identity]')];
  const isDrawn = (element: Element) => {
    if (element.closest('.tile-picture, .tile-desk, .tile-reason, .tile-light')) return false;
    if (!element.checkVisibility({ opacityProperty: true })) return false;
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    return (
      hasText ||
      element.tagName === 'svg' ||
      !/^(?:transparent|rgba\(0, 0, 0, 0\))$/u.test(getComputedStyle(element).backgroundColor)
    );
  };
  const uncovered = tiles.map((tile) => {
    const { left, right, top, bottom } = tile.getBoundingClientRect();
    const above = [...tile.querySelectorAll('*')]
      .filter(isDrawn)
      .map((element) => element.getBoundingClientRect());
    let [points, free] = [0, 0];
    for (let x = left + 1; x < right; x += STEP_PX) {
      for (let y = top + 1; y < bottom; y += STEP_PX) {
        points += 1;
        const covers = (box: DOMRect) =>
          x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
        if (!above.some(covers)) free += 1;
      }
    }
    return free / points;
  });
  const areas = tiles.map((tile) => tile.clientWidth * tile.clientHeight);
  const barBottom = document.querySelector('[data-bar]')?.getBoundingClientRect().bottom ?? 0;
  const roomArea = window.innerWidth * (window.innerHeight - barBottom);
  return { uncovered, filled: areas.reduce((sum, area) => sum + area, 0) / roomArea };
}
