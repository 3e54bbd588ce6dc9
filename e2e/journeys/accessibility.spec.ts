import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts';
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
  '/support',
  '/diagnostics',
  '/terms',
  '/privacy',
  '/nowhere',
];

/** With a text that is there once the page has loaded what it shows. */
const learnerPages = [
  ['/statistics', '아직 출석한 날이 없어요'],
  ['/settings', '지금 이 기기'],
  ['/boards', '아직 보관한 사본이 없어요'],
  // The last: its picture is changed next.
  ['/mypage', '다음 칭호'],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the open pages pass axe and fit from 320 px (${colorScheme})`, async ({ newVisitor }) => {
    const page = await newVisitor();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of openPages) {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    }
  });

  test(`/main, statistics, my page, settings, the camera check and the study room pass axe (${colorScheme})`, async ({
    newLearner,
    url,
  }) => {
    const { page } = await newLearner();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/main');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    }
    for (const [path, proof] of learnerPages) {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        await expect(page.getByText(proof)).toBeVisible();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    }
    await page.getByLabel('사진 바꾸기').setInputFiles('docs/images/study-room.png');
    await expect(page.getByRole('dialog', { name: '사진 자르기' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/main');
    await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: '입장하기' })).toBeEnabled();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await enterFromMain(page);
    await expect(page.locator('[data-participant-identity] video')).toBeVisible();
    const other = await createAccount();
    await enterByApi(other);
    await expect(tileOf(page, other)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '내 책상' }).click();
    await expect(page.getByRole('button', { name: '50 / 10' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '내 설정' }).click();
    await expect(page.getByRole('button', { name: '전체 화면' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await tileOf(page, other)
      .getByRole('button', { name: /화면 키우기/u })
      .click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: '채팅 열기' }).click();
    await page.getByRole('textbox', { name: '메시지' }).fill('안녕하세요');
    await page.getByRole('button', { name: '보내기' }).click();
    await expect(page.getByRole('log').getByText('안녕하세요')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '2명' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: '내 책상' }).click();
    await page.getByLabel('목표 집중 시간').selectOption({ label: '2시간' });
    await page.getByLabel('새 할 일').fill('수학 40~55쪽');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '집중 50분, 휴식 10분' }).click();
    await expect(page.getByLabel('함께하기')).toBeChecked();
    await expectAccessible(page);
    await page.getByRole('button', { name: '내 책상' }).click();
    await page.keyboard.press('Shift+Slash');
    await expect(page.getByRole('dialog', { name: '키보드 단축키' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    for (const move of ['휴식', '자리 비움']) {
      await page.getByRole('button', { name: move, exact: true }).click();
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    // English is longer.
    await page.context().addCookies([{ name: 'mogakgong.language', value: 'en', url }]);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Focus again', exact: true })).toBeVisible();
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoSidewaysScroll(page);
    }
  });
}

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
