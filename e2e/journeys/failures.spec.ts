import { reportClientError } from '@mogakgong/contract';
import { chromium, type Page, type Response } from '@playwright/test';
import { mediaPid } from '../../test/running-stack.ts';
import config from '../playwright.config.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { builtFile } from '../support/built-file.ts';
import {
  chooseLanguage,
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  expectMovingPicture,
  logInByForm,
  test,
  tileOf,
} from '../support/journey.ts';

const INSECURE_HOST = 'study.test';
const noCamera = '카메라 권한이 없거나 장치가 연결되어 있지 않아요.';

test('a refused camera is said so with what to do, and works once it is allowed', async ({
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
    await expect(dialog.getByText('주소창 왼쪽의 사이트 정보 아이콘을 눌러 주세요.')).toBeVisible();
    await expectAccessible(page);

    // The page notices by itself that the permission changed.
    await context.grantPermissions(['camera'], { origin: url });
    const enter = dialog.getByRole('button', { name: '입장하기' });
    await expect(enter).not.toHaveAttribute('aria-disabled');
    await expect(enter).toBeFocused();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/studyroom\/\d+$/u);
    await expectMovingPicture(page, account);
  } finally {
    await browser.close();
  }
});

test('texts and the start of a page that cannot be had are said so, and come by a press', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const refuse = (module: string) => page.route(`**${builtFile(module)}`, (route) => route.abort());
  const failure = page.getByRole('alert').filter({ hasText: '불러오지 못했어요' });

  await refuse('shared/i18n/account.ko.json');
  await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '설정' }).click();
  await expect(failure).toBeVisible();
  await expect(failure.getByRole('button', { name: '새로고침' })).toBeVisible();
  await page.unrouteAll();
  await failure.getByRole('button', { name: '다시 시도' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '설정' })).toBeVisible();

  await refuse('shared/i18n/account.en.json');
  await chooseLanguage(page, 'en');
  await expect(page.getByText('언어를 바꾸지 못했어요.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: '설정' })).toBeVisible();
  await page.unrouteAll();
  await chooseLanguage(page, 'en');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  for (const file of [builtFile('shared/i18n/common.en.json'), '/assets/index-*.js']) {
    await page.route(`**${file}`, (route) => route.abort());
    await page.reload();
    const notStarted = page.getByRole('alert').filter({ hasText: '아직 불러오지 못했어요' });
    await expect(notStarted).toContainText('The page has not loaded yet.');
    await page.unrouteAll();
    await notStarted.getByRole('button', { name: 'Reload' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await expect(notStarted).toHaveCount(0);
  }
});

test('a room whose code cannot be had after a reload says so at once, or that it takes long, with the ways on', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const room = await enterFromMain(page);
  await expectMovingPicture(page, account);
  const main = page.getByRole('main');
  const code = `**${builtFile('room/live/room-live.ts')}`;

  await page.route(code, (route) => route.abort());
  await page.reload();
  await expect(main.getByText('스터디룸에 입장하지 못했어요.')).toBeVisible();
  await expect(main.getByRole('button', { name: '새로고침' })).toBeVisible();
  await expectAccessible(page);
  await page.unrouteAll();
  await main.getByRole('button', { name: '다시 시도' }).click();
  await expectMovingPicture(page, account);
  expect(page.url()).toContain(`/studyroom/${room}`);

  // A network that takes the request and never answers.
  await page.route(code, () => undefined);
  await page.reload();
  await expect(main.getByText('스터디룸에 입장하는 중')).toBeVisible();
  await expect(main.getByText('평소보다 오래 걸리고 있어요.')).toBeVisible({ timeout: 30_000 });
  await expect(main.getByRole('button', { name: '새로고침' })).toBeVisible();
  await expectAccessible(page);
  await main.getByRole('button', { name: '나가기' }).click();
  await page.waitForURL('/main');
});

test('a fault of our code shows ways on, and is reported with its place and nothing of the learner', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  // The faults of this page are on purpose.
  page.removeAllListeners('pageerror');
  const typed = '오늘은 미적분 3단원';
  const module = builtFile('pages/statistics/statistics-page.tsx');
  const faults = `setTimeout(() => { throw new RangeError('${typed}'); });
export function StatisticsPage() { throw new TypeError('${typed}'); }`;
  await page.route(`**${module}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: faults }),
  );
  const reports: Response[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith(reportClientError.path)) reports.push(answer);
  });
  // An extension, or a line in the console: none of ours.
  await page.evaluate((text) => setTimeout(() => Promise.reject(new Error(text))), typed);

  await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '통계' }).click();
  const failure = page.getByRole('alert').filter({ hasText: '문제가 생겼어요' });
  await expect(failure.getByRole('button', { name: '다시 시도' })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => reports.length).toBe(2);
  const bodies = reports.map((answer) => answer.request().postDataJSON());
  const about = {
    place: expect.stringMatching(new RegExp(`^${module.slice(1)}:\\d+:\\d+$`, 'u')),
    version: expect.stringMatching(/^[\w-]+$/u),
    browser: 'Chromium',
  };
  expect(bodies).toContainEqual({ kind: 'error', type: 'RangeError', ...about });
  expect(bodies).toContainEqual({ kind: 'rendering', type: 'TypeError', ...about });
  expect(reports.map((answer) => answer.ok())).toEqual([true, true]);
  for (const text of [typed, account.nickname, account.email]) {
    expect(JSON.stringify(bodies)).not.toContain(text);
  }

  await page.unrouteAll();
  await failure.getByRole('button', { name: '새로고침' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '내 공부 기록' })).toBeVisible();
  expect(reports).toHaveLength(2);
});

test('a direct link asks for the camera first, and without one or https says so and seats nobody', async ({
  url,
}) => {
  const { args = [], executablePath } = config.use?.launchOptions ?? {};
  const without = args.filter((flag) => !flag.includes('media-stream'));
  without.push(`--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`);
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
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(noCamera)).toBeVisible();
    await expect(dialog.getByText('연결된 카메라가 없어요')).toBeVisible();
    await expectAccessible(page);
    await expect(dialog.getByText(/이 방의 자리 \d+\/20/u)).toBeVisible();
    await expect(page.getByRole('button', { name: '다시 시도' })).toBeVisible();
    await expect(page.getByTestId('participant-grid')).toHaveCount(0);
    await page.getByRole('button', { name: '취소' }).click();
    await page.waitForURL('/main');

    // The same site at an address that is no localhost and has no https.
    await page.goto(`${url.replace('localhost', INSECURE_HOST)}/email-login`);
    await logInByForm(page, account);
    await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
    await expect(dialog.getByText(noCamera)).toBeVisible();
    await expect(dialog.getByText('안전하지 않은 주소라서 카메라를 쓸 수 없어요')).toBeVisible();
    await expect(dialog.getByText('주소를 https://로 시작하게')).toBeVisible();
  } finally {
    await browser.close();
  }
});

test('the connection check tries every way of video, and its report names nobody', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await page.goto('/diagnostics');
  await page.getByRole('button', { name: '점검 시작' }).click();
  await expectAccessible(page);
  const state = (check: string) => page.locator(`[data-check=${check}]`);
  for (const check of ['browser', 'camera', 'address', 'api', 'webSocket', 'stomp', 'signalling']) {
    await expect(state(check)).toHaveAttribute('data-state', 'ok');
  }
  for (const check of ['udp', 'tcp', 'quality']) {
    await expect(state(check)).toHaveAttribute('data-state', 'ok', { timeout: 30_000 });
  }
  await expect(state('turn')).toHaveAttribute('data-state', 'skipped');
  await expect(state('quality').getByText(/^왕복 \d+ ms, 손실 \d/u)).toBeVisible();
  await expectAccessible(page);
  const report = await page.locator('pre').textContent();
  expect(report).toMatch(/^udp: ok reached ms=\d+ server=(?:private|public|mixed)$/mu);
  expect(report).not.toContain('127.0.0.1');
  for (const secret of [account.email, account.nickname, account.token]) {
    expect(report).not.toContain(secret);
  }
});

test('two learners keep their room through failures of the page, the tab and the media server', async ({
  newLearner,
  stack,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const { page } = first;
  const room = await enterFromMain(page);
  await enterFromMain(second.page);
  await expectMovingPicture(second.page, first.account);

  await test.step('a part of the page that cannot be downloaded ends nothing, and one retry brings it', async () => {
    const failure = page.getByRole('alert').filter({ hasText: '불러오지 못했어요' });
    const retry = failure.getByRole('button', { name: '다시 시도' });
    // Wide enough for a panel beside the chat.
    await page.setViewportSize({ width: 1440, height: 800 });
    const say = async (from: Page, text: string) => {
      await from.getByRole('textbox', { name: '메시지' }).fill(text);
      await from.keyboard.press('Enter');
    };
    for (const { page: each } of [first, second]) {
      await each.getByRole('button', { name: '채팅 열기' }).click();
    }

    // A panel of the room.
    await page.route(`**${builtFile('room/panels/open-panel.tsx')}`, (route) => route.abort());
    const people = page.getByRole('button', { name: /^\d+명$/u });
    await people.click();
    await expect(failure).toBeVisible();
    await retry.focus();
    await page.keyboard.press('Escape');
    await expect(failure).toHaveCount(0);
    await expect(people).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(failure).toBeVisible();
    await expectAccessible(page);
    await say(page, '저는 그대로 있어요');
    await expect(second.page.getByText('저는 그대로 있어요')).toBeVisible();
    await expectMovingPicture(page, second.account);
    await expectMovingPicture(second.page, first.account);
    await page.unrouteAll();
    await retry.click();
    await expect(page.getByRole('region', { name: '함께 있는 사람' })).toBeFocused();

    // A whole page.
    await page.route(`**${builtFile('pages/statistics/statistics-page.tsx')}`, (route) =>
      route.abort(),
    );
    await page.getByRole('button', { name: `${first.account.nickname} 메뉴` }).click();
    await page.getByRole('menuitem', { name: '통계' }).click();
    await expect(failure).toBeVisible();
    await expect(page.getByRole('region', { name: `${room}번 스터디룸` })).toBeVisible();
    await expectMovingPicture(second.page, first.account);
    await page.unrouteAll();
    await retry.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await say(second.page, '통계 봤어요?');
    await page.goBack();
    await expect(page.getByText('통계 봤어요?')).toBeVisible();
    await expectMovingPicture(page, second.account);
    await expectMovingPicture(second.page, first.account);
  });

  await test.step('a frozen tab and a media server that dies are said so, and the pictures come back', async () => {
    // A browser reports this when it freezes a tab; a test cannot stop the tab's media itself.
    await first.page.evaluate(() => document.dispatchEvent(new Event('freeze', { bubbles: true })));
    await expect(first.page.getByText('절전 상태였던 탭을 다시 연결하는 중')).toBeVisible();
    await first.page.evaluate(() => document.dispatchEvent(new Event('resume')));
    await expectMovingPicture(first.page, second.account);
    await expectMovingPicture(second.page, first.account);

    process.kill(await mediaPid(stack), 'SIGKILL');

    const notice = first.page
      .getByText('연결이 불안정해요. 다시 연결하는 중')
      .or(first.page.getByText('영상 서버에 연결할 수 없어요. 곧 다시 연결돼요.'));
    await expect(notice.first()).toBeVisible();
    await expect(first.page.getByText('공부 시간과 채팅은 그대로 이어져요.')).toBeVisible();
    await expect(notice).toHaveCount(0, { timeout: 40_000 });
    await expectMovingPicture(first.page, second.account);
    await expectMovingPicture(second.page, first.account);
    expect(first.page.url()).toContain(`/studyroom/${room}`);
    await expect(tileOf(first.page, first.account)).toHaveCount(1);
  });
});

const setVisibility = (page: Page, visibility: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);

test('a locked phone is said to be one, and its picture comes back by itself; a learner who is gone has no tile', async ({
  newLearner,
}) => {
  const [first, phone] = await Promise.all([
    newLearner(),
    newLearner((page) =>
      page.addInitScript(() => {
        Object.defineProperty(navigator, 'userAgentData', { value: { mobile: true } });
      }),
    ),
  ]);
  await enterFromMain(first.page);
  await enterFromMain(phone.page);
  await expectMovingPicture(first.page, phone.account);

  await setVisibility(phone.page, 'hidden');
  const tile = tileOf(first.page, phone.account);
  await expect(tile.getByText('카메라가 잠시 멈췄어요 (화면 잠금 등)')).toBeVisible();
  await expectAccessible(first.page);
  await setVisibility(phone.page, 'visible');
  await expectMovingPicture(first.page, phone.account);

  await phone.page.close();
  await expect(tile).toHaveCount(0, { timeout: 30_000 });
  await expect(first.page.getByRole('button', { name: '1명', exact: true })).toBeVisible();
});
