import { randomBytes } from 'node:crypto';
import { closeHostedRoom, leaveRoom, openHostedRoom, putPomodoro } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts';
import {
  callAs,
  chooseLanguage,
  createAccount,
  enterByApi,
  expect,
  expectMovingPicture,
  PASSWORD,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';
import { letHostBeAway } from '../support/study-history.ts';

/** Opens a room from /main and enters it. */
async function openRoom(page: Page, name: string, rules: readonly string[] = []): Promise<void> {
  await page.getByRole('button', { name: '방 만들기' }).click();
  const dialog = page.getByRole('dialog', { name: '방 만들기' });
  await dialog.getByLabel('방 이름').fill(name);
  await dialog.getByLabel('함께할 공부 (선택)').fill('기출 3회분');
  await dialog.getByLabel('분야').selectOption({ label: '수능' });
  for (const rule of rules) await dialog.getByText(rule, { exact: true }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '방 열기' }).click();
  await page.waitForURL(/\/studyroom\/\d+$/u);
  await passCameraCheck(page);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Removing takes less than a second; a busy machine, and how often one looks, may add to it. */
const OUT_WITHIN_MS = 5_000;

const openPanel = (page: Page) => page.getByRole('button', { name: /^방 정보/u }).click();
const confirm = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

test('an invitation leads through sign-up into a private room, once its host has said yes', async ({
  newLearner,
  newVisitor,
}) => {
  const { page: hostPage, account: host } = await newLearner();
  await openRoom(hostPage, '우리끼리 스터디', ['초대 링크로만', '들어올 때 내 수락이 필요해요']);
  await expect(hostPage.getByText('지금은 혼자예요. 들어오고 싶은 사람이 있으면')).toBeVisible();
  await expectAccessible(hostPage);
  await hostPage.getByRole('button', { name: '초대 링크', exact: true }).click();
  const link = await hostPage.getByLabel('초대 링크').inputValue();

  const page = await newVisitor();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(link);
  await page.getByRole('link', { name: '처음이에요, 가입할게요' }).click();
  const nickname = `새내기${randomBytes(2).toString('hex')}`;
  const email = `${randomBytes(5).toString('hex')}@example.org`;
  await page.getByLabel('이메일', { exact: true }).fill(email);
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.getByLabel('비밀번호 확인').fill(PASSWORD);
  await page.getByLabel('이름(닉네임)').fill(nickname);
  await page.getByRole('checkbox', { name: '모두 동의합니다' }).check();
  await page.getByRole('button', { name: '가입하기' }).click();
  await page.waitForURL('/invite');
  await expect(page.getByText('우리끼리 스터디')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '입장 요청하기' }).click();
  await expect(page.getByText('방장의 수락을 기다리고 있어요')).toBeVisible();
  await expectAccessible(page);

  const request = hostPage.getByText(`${nickname}님이 들어오고 싶어 해요.`);
  await expect(request).toBeVisible();
  await hostPage.reload();
  await expect(request).toBeVisible();
  await page.getByRole('button', { name: '요청 취소' }).click();
  await expect(request).toHaveCount(0);
  await page.goto(link);
  await page.getByRole('button', { name: '입장 요청하기' }).click();
  await expect(request).toBeVisible();
  await expectAccessible(hostPage);
  await hostPage.getByRole('button', { name: '보기', exact: true }).click();
  await expect(hostPage.getByRole('region', { name: '방 정보' })).toBeFocused();
  await expect(request).toHaveCount(0);
  await expectAccessible(hostPage);
  await hostPage.getByRole('button', { name: `${nickname}님의 요청 수락` }).click();
  await passCameraCheck(page);
  await expectMovingPicture(page, host);

  const token = new URL(link).hash.slice(1);
  expect(token.length).toBeGreaterThan(20);
  expect(requested.length).toBeGreaterThan(3);
  expect(requested.filter((url) => url.split('#')[0]?.includes(token))).toEqual([]);
  await hostPage.getByRole('button', { name: '방 닫기' }).click();
  await confirm(hostPage, '방 닫기');
  await expect(page.getByText('방장이 방을 닫았어요')).toBeVisible();
});

test('a guest whom the host removes is out at once, and comes back neither by the link nor by a reload', async ({
  newLearner,
}) => {
  const { page: hostPage, account: host } = await newLearner();
  const { page, account: guest } = await newLearner();
  await openRoom(hostPage, '새벽 독서실');
  await page.reload();
  await hostPage.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('link', { name: /새벽 독서실/u }).click();
  await passCameraCheck(page);
  await expect(tileOf(page, host)).toBeVisible();

  await openPanel(hostPage);
  await expectNoSidewaysScroll(hostPage);
  const link = await hostPage.getByLabel('초대 링크').inputValue();
  await hostPage.getByRole('button', { name: `${guest.nickname}님 내보내기` }).click();
  await confirm(hostPage, '내보내기');
  await expect(page.getByText('방장이 나를 내보냈어요')).toBeVisible({ timeout: OUT_WITHIN_MS });
  await expect(tileOf(hostPage, guest)).toHaveCount(0, { timeout: OUT_WITHIN_MS });

  await page.reload();
  await expect(page.getByText('방장이 내보낸 방에는 다시 들어갈 수 없어요.')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('방장이 내보낸 방에는 다시 들어갈 수 없어요.')).toBeVisible();
  await hostPage.getByRole('button', { name: '방 닫기' }).click();
  await confirm(hostPage, '방 닫기');
  await expect(hostPage.getByText('방장이 방을 닫았어요')).toBeVisible();
});

test('a room whose host is away is offered to the guest who sits there, and becomes theirs', async ({
  newLearner,
  stack,
}) => {
  const host = await createAccount();
  const { page } = await newLearner();
  const { roomId } = await callAs(host, openHostedRoom, {
    body: {
      ...{ name: '빈 의자', goal: '', capacity: 4 },
      ...{ isPublic: true, needsApproval: false, needsCamera: false },
    },
  });
  await enterByApi(host, roomId);
  // The first screen of /main, without scrolling, has the room.
  await page.goto('/main');
  const row = page.getByRole('listitem').filter({ hasText: '빈 의자' });
  await expect(row).toBeInViewport({ ratio: 1 });
  await row.getByRole('link').click();
  await passCameraCheck(page);
  await page.waitForURL(`/studyroom/${roomId}`);
  await expect(tileOf(page, host)).toBeVisible();
  await callAs(host, leaveRoom, { query: { userId: host.userId } });
  await letHostBeAway(stack.dataDir, roomId);
  const offer = page.getByRole('alertdialog', { name: '방장을 맡아 줄래요?' });
  await expect(offer).toBeVisible();
  await expectAccessible(page);
  await offer.getByRole('button', { name: '맡을게요' }).click();
  await openPanel(page);
  await page.getByRole('button', { name: '방 닫기' }).click();
  await confirm(page, '방 닫기');
  await expect(page.getByText('방장이 방을 닫았어요')).toBeVisible();
});

interface CoveredWindow extends Window {
  isCovered: boolean;
}

/** Runs in the page before our code: a camera that films noise, in the dark while it is covered. */
function replaceCamera(): void {
  const own = window as unknown as CoveredWindow;
  own.isCovered = false;
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 360];
    const context = canvas.getContext('2d');
    setInterval(() => {
      if (!context) return;
      const frame = context.createImageData(640, 360);
      for (let at = 0; at < frame.data.length; at += 4) {
        const light = own.isCovered ? 3 : (at / 4) % 640 < 320 ? 60 : 20;
        frame.data.fill(light + Math.random() * 12, at, at + 3);
        frame.data[at + 3] = 255;
      }
      context.putImageData(frame, 0, 0);
    }, 200);
    return canvas.captureStream(5);
  };
}

test('where cameras stay on, the page says when its own picture is black, and when it is not', async ({
  newLearner,
}) => {
  const { page } = await newLearner((visitor) => visitor.addInitScript(replaceCamera));
  const findings: unknown[] = [];
  page.on('request', (request) => {
    if (!/\/study-rooms\/\d+\/picture$/u.test(request.url())) return;
    findings.push(request.postDataJSON());
  });
  await openRoom(page, '카메라 켜는 방', ['카메라를 켜 두어야 해요']);
  const cover = (isCovered: boolean) =>
    page.evaluate((is) => {
      (window as unknown as CoveredWindow).isCovered = is;
    }, isCovered);
  await expect.poll(() => findings, { timeout: 20_000 }).toEqual([{ isBlack: false }]);
  await cover(true);
  await expect.poll(() => findings, { timeout: 20_000 }).toContainEqual({ isBlack: true });
  await cover(false);
  await expect.poll(() => findings, { timeout: 20_000 }).toHaveLength(3);
  expect(findings.at(-1)).toEqual({ isBlack: false });
});

/** Runs in the page. */
const twoFrames = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Runs in the page: where the buttons of the bar stand, but the one that joins a pomodoro. */
function placesOfButtons(bar: Element) {
  return Array.from(bar.querySelectorAll('button'), (button) => {
    const { left, top, width } = button.getBoundingClientRect();
    return { left, top, width, text: button.textContent ?? '' };
  })
    .filter(({ text }) => !text.includes('참여하기'))
    .map(({ left, top, width }) => ({ left, top, width }));
}

/**
 * Runs in the page: whether all of a part of the bar is on the screen, at least so wide, and over none of the others.
 */
function isClear(part: Element, minWidth: number) {
  const own = part.getBoundingClientRect();
  const parts = [...(part.closest('[data-bar]')?.querySelectorAll('button, [role=timer]') ?? [])];
  const isApart = parts
    .filter((other) => other !== part)
    .map((other) => other.getBoundingClientRect())
    .every(
      ({ left, right, top, bottom }) =>
        right <= own.left || left >= own.right || bottom <= own.top || top >= own.bottom,
    );
  const isWhole = own.left >= 0 && own.right <= document.documentElement.clientWidth;
  return isApart && isWhole && own.width >= minWidth;
}

test('the bar is one row at every width, with all words in a wide one; a pomodoro moves nothing', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await openRoom(page, '수능 백일 남은 사람들의 조용하고 따뜻한 밤샘 방');
  const roomId = Number(new URL(page.url()).pathname.split('/').at(-1));
  const neighbour = await createAccount();
  await enterByApi(neighbour, roomId);
  const bar = page.locator('[data-bar]');
  await expect(bar.getByRole('button', { name: '2명' })).toBeVisible();
  await expect(bar.getByRole('button', { name: '화이트보드' })).toBeVisible();
  const row = bar.locator('.bar-row');
  await page.setViewportSize({ width: 1920, height: 800 });
  for (const word of [
    '휴식',
    '자리 비움',
    '화이트보드',
    '카메라 끄기',
    '화면·소리',
    '내 책상',
    '나가기',
  ]) {
    const drawn = async () => (await row.getByText(word, { exact: true }).boundingBox())?.width;
    await expect.poll(drawn, word).toBeGreaterThan(1);
  }
  const subject = bar.getByRole('button', { name: /^과목: /u });
  await expect(subject).toBeVisible();
  for (const width of [320, 359, 360, 383, 384, 567, 568, 719, 751, 752, 800, 888, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => subject.evaluate(isClear, 48), `${width} px`).toBe(true);
  }
  const before: { width: number; places: unknown }[] = [];
  for (const width of [1920, 1440, 1366, 1280, 1152, 1024, 768, 568, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(twoFrames);
    before.push({ width, places: await bar.evaluate(placesOfButtons) });
  }
  const expectNothingMoved = async () => {
    for (const { width, places } of before) {
      await page.setViewportSize({ width, height: 800 });
      const now = () => bar.evaluate(placesOfButtons);
      await expect.poll(now, `${width} px`).toEqual(places);
    }
  };
  const body = { focusMinutes: 25, breakMinutes: 5 };
  await callAs(neighbour, putPomodoro, { params: { roomId }, body });
  const join = bar.getByRole('button', { name: /뽀모도로 .*참여하기/u });
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect(join).toBeVisible();
  await expectNothingMoved();
  const isOneRow = () =>
    row.evaluate((row) => {
      const page = document.documentElement;
      return row.clientHeight < 50 && page.scrollWidth <= page.clientWidth;
    });
  const expectOneRow = async () => {
    for (const width of [320, 360, 480, 567, 568, 640, 768, 900, 1024, 1152, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(isOneRow, `${width} px`).toBe(true);
    }
  };
  await expectOneRow();
  // The name of the room is whole where there is room for it.
  const name = page.getByRole('heading', { level: 1 });
  expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await join.click();
  await expect(bar.getByRole('timer').filter({ hasText: /^\d+:\d\d$/u })).toBeVisible();
  await expectOneRow();
  await expectNothingMoved();
  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: '다시 집중', exact: true })).toBeVisible();
  await expectOneRow();
  await chooseLanguage(page, 'en');
  await expect(page.getByRole('button', { name: 'Focus again', exact: true })).toBeVisible();
  await expectOneRow();
  await page.keyboard.press('a');
  await expect(bar.getByTestId('focus-announcement')).toHaveText('Away');
  await expectOneRow();
  // An open room is where /main leads the next learner, who may need more seats.
  await callAs(account, closeHostedRoom, { params: { roomId } });
});
