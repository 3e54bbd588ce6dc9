import {
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  expectMovingPicture,
  test,
  tileOf,
} from '../support/journey.ts';

test('two and then three learners see each other’s moving pictures; who leaves is gone', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
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
  await expect(tileOf(first.page, second.account)).toHaveCount(0, { timeout: 2_000 });
  await expect(tileOf(third.page, second.account)).toHaveCount(0, { timeout: 2_000 });
  await second.page.waitForURL('/main');
});

test('a log-out in the room gives up the seat', async ({ newLearner }) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  await enterFromMain(first.page);
  await enterFromMain(second.page);
  await expectMovingPicture(first.page, second.account);
  await second.page.getByRole('button', { name: `${second.account.nickname}님의 메뉴` }).click();
  await second.page.getByRole('menuitem', { name: '로그아웃' }).click();
  await second.page.waitForURL('/login');
  await expect(tileOf(first.page, second.account)).toHaveCount(0, { timeout: 2_000 });
});

test('the list of people on a phone: Escape or a tap beside it closes it, the focus goes back', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await enterFromMain(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const toggle = page.getByRole('button', { name: '1명' });
  const list = page.getByRole('region', { name: '함께 있는 사람' });
  await toggle.click();
  await expect(list).toBeFocused();
  await page.getByRole('button', { name: '나가기' }).focus();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(toggle).toBeFocused();
  await toggle.click();
  await page.mouse.click(20, 500);
  await expect(list).toHaveCount(0);
  await toggle.click();
  await toggle.click();
  await expect(list).toHaveCount(0);
});

test('nobody is asked for a microphone and nobody receives sound', async ({ newLearner }) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  for (const { page } of [first, second]) {
    await page.addInitScript(() => {
      const asked: MediaStreamConstraints[] = [];
      Object.assign(globalThis, { asked });
      const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = (constraints) => {
        asked.push(constraints ?? {});
        return original(constraints);
      };
    });
    await page.reload();
    await enterFromMain(page);
  }
  await expectMovingPicture(first.page, second.account);
  for (const { page } of [first, second]) {
    const asked = await page.evaluate(
      () => (globalThis as unknown as { asked: MediaStreamConstraints[] }).asked,
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((constraints) => constraints.audio)).toEqual([]);
    const audioTracks = await page
      .locator('video')
      .evaluateAll(
        (videos) =>
          videos.flatMap(
            (video) =>
              ((video as HTMLVideoElement).srcObject as MediaStream | null)?.getAudioTracks() ?? [],
          ).length,
      );
    expect(audioTracks).toBe(0);
  }
});

test('a reload keeps the room, and the others keep seeing the learner', async ({ newLearner }) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const room = await enterFromMain(first.page);
  await enterFromMain(second.page);
  await expectMovingPicture(second.page, first.account);
  await first.page.reload();
  await expectMovingPicture(first.page, second.account);
  expect(first.page.url()).toContain(`/studyroom/${room}`);
  await expectMovingPicture(second.page, first.account);
});

test('hiding a tile stops it and says so; showing brings it back', async ({ newLearner }) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  await enterFromMain(first.page);
  await enterFromMain(second.page);
  await expectMovingPicture(first.page, second.account);
  const name = second.account.nickname;
  const tile = tileOf(first.page, second.account);
  await tile.hover();
  await tile.getByRole('button', { name: `${name}님의 화면 숨기기` }).click();
  await expect(tile.getByText(`${name}님의 화면이 현재 숨겨져 있어요`)).toBeVisible();
  await expect(tile.locator('video')).toHaveCount(0);
  await tile.getByRole('button', { name: '다시 보기' }).click();
  await expectMovingPicture(first.page, second.account);
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
  await page.getByRole('button', { name: '다른 방 찾기' }).click();
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
  await tab
    .getByRole('button', { name: '여기서 사용하기' })
    .or(tileOf(tab, account))
    .first()
    .waitFor();
  const offer = tab.getByRole('button', { name: '여기서 사용하기' });
  if (await offer.isVisible()) await offer.click();
  await expectMovingPicture(tab, account);
  await expect(page.getByText('다른 곳에서 이 방을 열었어요')).toBeVisible();
  await page.getByRole('button', { name: '여기서 사용하기' }).click();
  await expectMovingPicture(page, account);
});

test('a room that does not exist is said to be missing', async ({ newLearner }) => {
  const { page } = await newLearner();
  await page.goto('/studyroom/987654');
  await expect(page.getByText('존재하지 않는 스터디룸이에요').first()).toBeVisible();
});
