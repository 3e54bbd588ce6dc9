import { readFile } from 'node:fs/promises';
import { DAY_MS, HOUR_MS } from '@mogakgong/contract';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { chooseLanguage, enterFromMain, expect, test, tileOf } from '../support/journey.ts';
import { shiftOf, watchShift } from '../support/layout-shift.ts';
import { type PastVisit, writeHistory } from '../support/study-history.ts';

/** Noon in Seoul so many days ago: far from where days begin. */
function noonDaysAgo(days: number): Date {
  const seoul = new Date(Date.now() + 9 * HOUR_MS - days * DAY_MS);
  return new Date(
    Date.UTC(seoul.getUTCFullYear(), seoul.getUTCMonth(), seoul.getUTCDate(), 12 - 9),
  );
}

/** The day in Seoul, as the page names it. */
const dayOf = (moment: Date) => new Date(moment.getTime() + 9 * HOUR_MS).toISOString().slice(0, 10);

/** A month ago and the last two days: beyond the first week, in which charts are not shown. */
const threeDays = (): [PastVisit, PastVisit, PastVisit] => [
  { beganAt: noonDaysAgo(30), intervals: [{ status: 'focus', minutes: 60 }] },
  {
    beganAt: noonDaysAgo(2),
    intervals: [
      { status: 'focus', minutes: 50 },
      { status: 'pause', minutes: 10 },
      { status: 'focus', minutes: 40 },
    ],
  },
  {
    beganAt: noonDaysAgo(1),
    intervals: [
      { status: 'focus', minutes: 30 },
      { status: 'away', minutes: 15, isSilence: true },
    ],
  },
];

const twoMinutesUntilNow = (): PastVisit => ({
  beganAt: new Date(Date.now() - 2 * 60_000),
  intervals: [{ status: 'focus', minutes: 2 }],
});

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function goByMenu(page: Page, nickname: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `${nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('a learner sees what they studied, where each number comes from, and takes it along as CSV', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  const history = threeDays();
  await writeHistory(stack.dataDir, account.userId, history);
  await goByMenu(page, account.nickname, '통계');
  await page.waitForURL('/statistics');

  const totals = panel(page, '지금까지');
  await expect(totals).toContainText('누적 집중 시간3시간');
  await expect(totals).toContainText('출석한 날 평균1시간');
  await expect(totals).toContainText('누적 출석일3일');
  await expect(panel(page, '연속 출석')).toContainText('2일');
  await expect(panel(page, '집중이 잘되는 시간')).toContainText('12시–13시에 가장 많이');

  // On a Monday neither week has anything yet.
  const beside = panel(page, '지난주와 비교');
  await expect(beside).toContainText(/이번 주는 지금까지|이번 주에도, 지난주 같은 시점까지도/u);
  const year = panel(page, '지난 1년');
  await expect(year).toContainText('3일 동안 3시간 집중했어요.');
  await expect(year.locator(`[data-day="${dayOf(history[1].beganAt)}"]`)).toHaveAttribute(
    'data-level',
    '2',
  );
  await year.getByRole('slider').focus();
  await page.keyboard.press('ArrowUp');
  await expect(year).toContainText('집중 30분, 자리 비움 15분');
  await year.getByRole('button', { name: '지난 1년, 표로 보기' }).click();
  await expect(year.getByRole('row')).toHaveCount(4);

  const visits = panel(page, '이용 기록');
  const latest = visits.getByRole('group').first();
  await latest.locator('summary').click();
  await expect(latest).toContainText('연결이 끊겨 자동 전환');
  await expect(latest).toContainText('합계: 집중 0:30:00 · 자리 비움 0:15:00');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV 내려받기' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^mogakgong-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/u);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(7);
  expect(lines[0]).toContain('visit,room,status,started_at,ended_at,seconds');
  expect(lines.filter((line) => line.includes(',focus,'))).toHaveLength(4);
  expect(lines.at(-1)).toContain(',away,');
});

test('a learner who has not studied yet is invited, and sees no made-up numbers', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await page.goto('/statistics');
  await expect(panel(page, '오늘')).toContainText('아직 공부한 시간이 없어요');
  await expect(panel(page, '연속 출석')).toContainText('출석은 이렇게 계산해요');
  await expect(page.getByRole('button', { name: '공유 카드' })).toHaveCount(0);
  await expect(panel(page, '지금까지')).toHaveCount(0);
  await page.getByRole('link', { name: '스터디룸으로' }).click();
  await page.waitForURL('/main');
});

test('a card of today is drawn in the browser, and saved as a PNG without a request', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  // Yesterday may be of last week.
  await writeHistory(stack.dataDir, account.userId, [...threeDays(), twoMinutesUntilNow()]);
  await page.goto('/statistics');
  await page.getByRole('button', { name: '공유 카드' }).click();
  const dialog = page.getByRole('dialog', { name: '공유 카드' });
  const picture = (text: string | RegExp) => dialog.getByRole('img', { name: text });
  // Just after midnight a part of the two minutes is yesterday's.
  await expect(picture(/오늘 집중 (?:2분|1분|1분 미만), 연속 출석 3일/u)).toBeVisible();
  await expect(picture(account.nickname)).toHaveCount(0);
  await expectAccessible(page);

  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) asked.push(request.url());
  });
  await dialog.getByRole('radio', { name: '오늘' }).focus();
  await page.keyboard.press('ArrowRight');
  await dialog.getByText('낮', { exact: true }).click();
  await dialog.getByLabel('닉네임 넣기').check();
  await expect(picture(`${account.nickname}님의 이번 주 집중`)).toBeVisible();

  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'PNG 저장' }).press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^mogakgong-\d{4}-\d\d-\d\d\.png$/u);
  const file = await readFile(await download.path());
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([1080, 1350]);
  // Only ranges of the font for the nickname may be fetched; nothing is sent.
  expect(asked.filter((url) => !url.endsWith('.woff2'))).toEqual([]);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: '이미지 복사' }).click();
  await expect(dialog.getByText('이미지를 복사했어요.')).toBeVisible();
  const types = await page.evaluate(async () => (await navigator.clipboard.read())[0]?.types);
  expect(types).toContain('image/png');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '공유 카드' })).toBeFocused();
});

/** The card, the four buttons and every choice are there without scrolling. */
async function expectAllInSight(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole('img')).toBeVisible();
  await expect(dialog.getByRole('button')).toHaveCount(4);
  const hidden = await dialog.evaluate(
    ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
  );
  expect(hidden).toBe(0);
}

/** Runs in the page: a system that takes pictures to share, or fails as `window.shareFails` names it. */
function takeShares(): void {
  const shared: string[] = [];
  Object.assign(window, { shared, shareFails: null });
  Object.assign(navigator, {
    canShare: ({ files = [] }: ShareData) => files.length === 1,
    share: async ({ files = [] }: ShareData) => {
      const failure = Reflect.get(window, 'shareFails');
      if (failure !== null) throw new DOMException('', failure);
      shared.push(...files.map(({ name, type, size }) => `${name} ${type} ${size > 10_000}`));
    },
  });
}

test('on a phone the card is handed to the system, and saved where the system takes none', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await writeHistory(stack.dataDir, account.userId, [...threeDays(), twoMinutesUntilNow()]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addInitScript(takeShares);
  await page.goto('/statistics');
  await page.getByRole('button', { name: '공유 카드' }).click();
  const dialog = page.getByRole('dialog', { name: '공유 카드' });
  const share = dialog.getByRole('button', { name: '공유', exact: true });
  const fail = (name: string) =>
    page.evaluate((failure) => Reflect.set(window, 'shareFails', failure), name);

  await expectAllInSight(dialog);
  await share.click();
  const shared = () => page.evaluate((): string[] => Reflect.get(window, 'shared'));
  await expect
    .poll(shared)
    .toEqual([expect.stringMatching(/^mogakgong-.*\.png image\/png true$/u)]);
  await fail('AbortError');
  await share.click();
  const failure = dialog.getByText('공유하지 못했어요. PNG로 저장해 주세요.');
  await expect(failure).toHaveCount(0);
  await fail('NotAllowedError');
  await share.click();
  await expect(failure).toBeVisible();

  await page.keyboard.press('Escape');
  await chooseLanguage(page, 'en');
  await page.getByRole('button', { name: 'Share card' }).click();
  await expectAllInSight(page.getByRole('dialog', { name: 'Share card' }));
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.evaluate(() => Object.assign(navigator, { canShare: undefined }));
  await page.getByRole('button', { name: 'Share card' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save PNG' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.png$/u);
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0);
});

test('on a phone what is loaded pushes nothing aside, and the year shows that it goes on', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await writeHistory(stack.dataDir, account.userId, threeDays());
  await page.setViewportSize({ width: 390, height: 800 });
  await watchShift(page);
  await page.goto('/statistics');
  const year = panel(page, '지난 1년');
  await expect(year).toContainText('3일 동안 3시간 집중했어요.');
  await expect(panel(page, '집중이 잘되는 시간')).toContainText('12시–13시에 가장 많이');
  expect(await shiftOf(page)).toBeLessThan(0.05);
  await year.getByRole('slider').evaluate((chart) => chart.scrollIntoView({ block: 'center' }));
  await expect(year.locator('[data-day]').last()).toBeInViewport();
  await expect(year.getByRole('slider')).toHaveCSS('mask-image', /gradient/u);
  await expect(year.getByText('옆으로 밀면 지난 달들도 볼 수 있어요.')).toBeVisible();
  // The keyboard brings what it reads into view.
  await year.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect(year.locator('[data-day]').first()).toBeInViewport();

  // Choices are large enough for fingers, and every entry of the history is as high as the others.
  await page.setViewportSize({ width: 320, height: 640 });
  const choice = await panel(page, '일별 집중 시간')
    .getByText('이번 달', { exact: true })
    .boundingBox();
  expect(choice?.height).toBeGreaterThanOrEqual(44);
  const heights = await panel(page, '이용 기록')
    .locator('summary')
    .evaluateAll((rows) => rows.map((row) => row.clientHeight));
  expect(new Set(heights).size).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(year.getByText('옆으로 밀면 지난 달들도 볼 수 있어요.')).toBeHidden();
});

test('a title that was won is chosen, and worn in the header and on the tile', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await writeHistory(stack.dataDir, account.userId, threeDays());
  const header = page.getByRole('banner');
  await goByMenu(page, account.nickname, '마이페이지');
  await page.waitForURL('/mypage');
  const request = header.getByText('대표 칭호를 설정해주세요!');
  await expect(request).toBeVisible();
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(request).toBeHidden();
  const name = header.getByTitle(account.nickname);
  expect(await name.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await header.getByRole('button', { name: / 메뉴/u }).click();
  await expect(request.last()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: '대표로 설정', exact: true }).click();
  await expect(page.getByText('칭호를 선택해 주세요.', { exact: true })).toBeVisible();
  await page.getByLabel('대표 칭호 선택').selectOption('첫 한 시간');
  await page.getByRole('button', { name: '대표로 설정', exact: true }).click();
  await expect(page.getByText('대표 칭호를 바꿨어요: 첫 한 시간')).toBeVisible();
  await expect(header.getByText('첫 한 시간')).toBeVisible();

  await page.reload();
  await expect(header.getByText('첫 한 시간')).toBeVisible();
  await page.goto('/main');
  await enterFromMain(page);
  await expect(tileOf(page, account).getByText('첫 한 시간')).toBeVisible();
});

test('a title that is won in the room is shown in the header, not over the tiles', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await writeHistory(stack.dataDir, account.userId, [
    { beganAt: noonDaysAgo(1), intervals: [{ status: 'focus', minutes: 59 + 59 / 60 }] },
  ]);
  // What was won before is known before the room is entered.
  await page.goto('/mypage');
  await expect(page.getByRole('progressbar', { name: '첫 한 시간까지' })).toHaveAttribute(
    'aria-valuetext',
    '59분 / 1시간',
  );
  await page.goto('/main');
  await enterFromMain(page);
  await expect(page).toHaveTitle(/^0:00:0[2-9]/u);
  // A break stores what was focused until now; titles are awarded every twenty seconds.
  await page.getByRole('button', { name: '휴식', exact: true }).click();

  const celebration = page.getByTestId('title-celebration');
  await expect(celebration).toContainText('첫 한 시간', { timeout: 45_000 });
  const [noticeBox, tiles] = await Promise.all([
    celebration.boundingBox(),
    page.locator('[data-participant-identity]').first().boundingBox(),
  ]);
  expect((noticeBox?.y ?? 0) + (noticeBox?.height ?? 0)).toBeLessThanOrEqual(tiles?.y ?? 0);
  await celebration.getByRole('button', { name: '닫기' }).click();
  await expect(celebration).toBeEmpty();
});
