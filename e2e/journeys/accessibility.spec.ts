import type { Locator, Page } from '@playwright/test';
import { paths } from '../../apps/web/src/shared/lib/paths.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  inBothThemes,
  WIDTHS_PX,
} from '../support/accessibility.ts';
import {
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  test,
  tileOf,
} from '../support/journey.ts';

const openPages = [
  '/',
  '/login',
  '/email-login',
  '/join',
  '/email-change#token=a',
  '/auth/failure?error=access_denied',
  '/friends/link#a-friend-link-of-twenty-and-more',
  '/groups/join#a-group-link-of-twenty-and-more',
  '/support',
  '/diagnostics',
  '/terms',
  '/privacy',
  '/nowhere',
];

/** With a text that is there once the page has loaded what it shows. */
const learnerPages = [
  ['/main', '스터디룸 입장하기'],
  ['/statistics', '출석은 이렇게 계산해요'],
  ['/plan', '앞으로 할 일'],
  ['/settings', '안 함'],
  ['/settings/study', '하루가 시작되는 시각'],
  ['/settings/notifications', '끝날 때 다른 창을 보고 있으면 알림'],
  ['/settings/security', '지금 이 기기'],
  ['/settings/privacy', '탈퇴하기'],
  ['/settings/blocked', '차단한 사람이 없어요'],
  ['/friends', '아직 친구가 없어요'],
  ['/groups', '아직 함께하는 그룹이 없어요'],
  // The last: its picture is changed next.
  ['/mypage', '다음 칭호'],
] as const;

/** Axe finds nothing, in light and in dark. */
const expectLegible = (page: Page) => inBothThemes(page, expectAccessible);

/** Opens a page anew at each width: some choose their parts by it as they load. */
async function expectGoodFromStart(page: Page, path: string, proof: Locator): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    await expect(proof).toBeVisible();
    await expectLegible(page);
    await expectNoSidewaysScroll(page);
  }
}

test('the open pages pass axe and fit from 320 px, in light and in dark', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  const heading = page.getByRole('heading', { level: 1 });
  for (const path of openPages) await expectGoodFromStart(page, path, heading);
});

test('/main, statistics, my page, settings, the camera check and the study room pass axe, in light and in dark', async ({
  newLearner,
  url,
}) => {
  const { page } = await newLearner();
  for (const [path, proof] of learnerPages) {
    await expectGoodFromStart(page, path, page.getByText(proof));
  }
  await page.getByLabel('사진 바꾸기').setInputFiles('docs/images/study-room.png');
  await expect(page.getByRole('dialog', { name: '사진 자르기' })).toBeVisible();
  await expectLegible(page);
  await page.goto('/main');
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: '입장하기' })).toBeEnabled();
  await expectLegible(page);
  await page.keyboard.press('Escape');
  await enterFromMain(page);
  await expect(page.locator('[data-participant-identity] video')).toBeVisible();
  const other = await createAccount();
  await enterByApi(other);
  await expect(tileOf(page, other)).toBeVisible();
  await expectLegible(page);
  await page.getByRole('button', { name: '내 책상' }).click();
  await expect(page.getByRole('button', { name: '50 / 10' })).toBeVisible();
  await expectLegible(page);
  await page.getByRole('button', { name: '화면·소리' }).click();
  await expect(page.getByRole('button', { name: '전체 화면' })).toBeVisible();
  await page.getByText('더 보기', { exact: true }).click();
  await expectLegible(page);
  await page.keyboard.press('Escape');
  await tileOf(page, other)
    .getByRole('button', { name: /화면 키우기/u })
    .click();
  await expectLegible(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: '채팅 열기' }).click();
  await page.getByRole('textbox', { name: '메시지' }).fill('안녕하세요');
  await page.getByRole('button', { name: '보내기' }).click();
  await expect(page.getByRole('log').getByText('안녕하세요')).toBeVisible();
  await expectLegible(page);
  await page.getByRole('button', { name: '2명' }).click();
  await expectLegible(page);
  await page.getByRole('button', { name: '내 책상' }).click();
  await page.getByLabel('목표 집중 시간').selectOption({ label: '2시간' });
  await page.getByLabel('새 할 일').fill('수학 40~55쪽');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '집중 50분, 휴식 10분' }).click();
  await expect(page.getByLabel('참여하기')).toBeChecked();
  await expectLegible(page);
  await page.getByRole('button', { name: '내 책상' }).click();
  await page.keyboard.press('Shift+Slash');
  await expect(page.getByRole('dialog', { name: '키보드 단축키' })).toBeVisible();
  await expectLegible(page);
  await page.keyboard.press('Escape');
  for (const move of ['휴식', '자리 비움']) {
    await page.getByRole('button', { name: move, exact: true }).click();
    await expectLegible(page);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  // A room is dark unless a theme is chosen.
  for (const theme of ['light', 'dark']) {
    await page.evaluate((chosen) => {
      document.documentElement.dataset.theme = chosen;
    }, theme);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  // English is longer.
  await page.context().addCookies([{ name: 'mogakgong.language', value: 'en', url }]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Focus again', exact: true })).toBeVisible();
  await expectLegible(page);
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 640 });
    await expectNoSidewaysScroll(page);
  }
});

/** The addresses of all pages; a page that sends this visitor elsewhere counts as that one. */
const addresses = Object.values({ ...paths, nowhere: '/nowhere' }).map((path) =>
  path.replace(':roomId', '2147483647'),
);

for (const who of ['a visitor', 'a learner'] as const) {
  test(`the focus goes to the heading of each page that ${who} comes to`, async ({
    newVisitor,
    newLearner,
  }) => {
    const page = who === 'a visitor' ? await newVisitor() : (await newLearner()).page;
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    await page.goto('/support');
    // Until the application is there nothing hears the key below.
    await expect(page.locator('[data-ahead]')).toHaveCount(0);
    await expect(heading).toBeVisible();
    // As the browser opened it; nor does another query make another page.
    await goTo(page, '/support?from=test');
    await expect(heading).not.toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: '본문으로 바로가기' })).toBeFocused();
    let shown = '/support';
    for (const address of addresses) {
      if (address === shown) continue;
      await page.getByRole('banner').getByRole('link').first().focus();
      await goTo(page, address);
      // Where a visitor has one field to fill in, it has the focus.
      const isField = who === 'a visitor' && address === paths.secondFactor;
      await expect(isField ? page.getByRole('textbox') : heading, address).toBeFocused();
      // Without the page's own name only the brand is there.
      if (address !== '/') await expect(page, address).toHaveTitle(/.+ · 모각공$/u);
      shown = new URL(page.url()).pathname;
    }
    await goTo(page, '/terms');
    await expect(heading).toHaveText('이용약관');
    for (const move of ['goBack', 'goForward'] as const) {
      await page.getByRole('banner').getByRole('link').first().focus();
      await page[move]();
      await expect(heading, move).toBeFocused();
    }
  });
}

test('in forced colours buttons have edges, and what is chosen stands out', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await page.emulateMedia({ forcedColors: 'active' });
  const enter = page.getByRole('button', { name: '스터디룸 입장하기' });
  await expect(enter).toHaveCSS('border-top-style', 'solid');
  await expect(enter).toHaveCSS('border-top-width', '1px');
  await page.goto('/settings');
  const groundOf = (name: string) =>
    page
      .locator('label')
      .filter({ has: page.getByRole('radio', { name }) })
      .evaluate((label) => getComputedStyle(label).backgroundColor);
  await page.getByRole('radio', { name: '밝게' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => groundOf('밝게')).not.toBe(await groundOf('어둡게'));
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
});

/** Runs in the page: signs whose contrast with what is behind them is less than 3 : 1 (WCAG 2.2, 1.4.11). */
function faintSigns(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const channelsOf = (colour: string): number[] => {
    if (!canvas) throw new Error('no canvas');
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
      const share = channel / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  /** Of the nearest element that has one; null where something shines through it. */
  const groundOf = (sign: Element): string | null => {
    for (let element: Element | null = sign; element; element = element.parentElement) {
      const { backgroundColor } = getComputedStyle(element);
      const alpha = channelsOf(backgroundColor)[3];
      if (alpha === 255) return backgroundColor;
      if (alpha !== 0) return null;
    }
    return 'Canvas';
  };
  const faint: string[] = [];
  for (const sign of document.querySelectorAll<SVGElement>(
    '.excalidraw button svg, .excalidraw label svg, .tile svg[data-status]',
  )) {
    if (!sign.checkVisibility() || sign.closest(':disabled')) continue;
    const colour = groundOf(sign);
    const ground = colour === null ? null : luminance(colour);
    const contrasts = [...sign.querySelectorAll('path, circle, rect, line, polyline')].flatMap(
      (shape) => {
        const { fill, stroke } = getComputedStyle(shape);
        return [fill, stroke]
          .filter((paint) => paint !== 'none')
          .map((paint) => {
            if (ground === null) return 0;
            const [dark = 0, light = 0] = [luminance(paint), ground].sort((a, b) => a - b);
            return (light + 0.05) / (dark + 0.05);
          });
      },
    );
    const best = Math.max(...contrasts);
    if (best < 3) faint.push(`${best.toFixed(1)} ${sign.parentElement?.outerHTML}`);
  }
  return faint;
}

test('in forced colours a room, which is dark, keeps to the palette of the system', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await enterFromMain(page);
  await page.getByRole('button', { name: '화이트보드' }).click();
  const tools = page.locator('.excalidraw .App-toolbar label');
  await expect(tools.first()).toBeVisible();
  await expect(tileOf(page, account).locator('[data-status]')).not.toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await tools.first().click();
    await expect.poll(() => page.evaluate(faintSigns), colorScheme).toEqual([]);
    const groundOf = (tool: Locator) =>
      tool.locator('.ToolIcon__icon').evaluate((icon) => getComputedStyle(icon).backgroundColor);
    expect(await groundOf(tools.first())).not.toBe(await groundOf(tools.nth(1)));
  }
});

/** As a link of the application does. */
const goTo = (page: Page, address: string) =>
  page.evaluate((to) => history.pushState(null, '', to), address);

test('the way from the landing page into a room needs no mouse', async ({ newVisitor }) => {
  const page = await newVisitor();
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: '본문으로 바로가기' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: '스터디룸 시작하기' }).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/u);
});
