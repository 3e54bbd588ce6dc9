import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expectAccessible } from '../support/accessibility.ts';
import { createAccount, expect, logInByForm, test } from '../support/journey.ts';

const LEARNER_PAGES = [
  '/main',
  '/studyroom/1',
  '/mypage',
  '/statistics',
  '/plan',
  '/friends',
  '/groups',
  '/settings',
];

test('every page for learners asks a visitor to log in, and is there afterwards', async ({
  newVisitor,
}) => {
  const [page, account] = await Promise.all([newVisitor(), createAccount()]);
  for (const target of LEARNER_PAGES) {
    await test.step(`a logged-out visitor of ${target} is sent to /login and back after log-in`, async () => {
      await page.goto(target);
      await page.waitForURL(/\/login/u);
      await expect(page.getByText('로그인이 필요해요.')).toBeVisible();
      await page.getByRole('link', { name: '이메일로 로그인' }).click();
      await expect(page.getByText('로그인이 필요해요.')).toHaveCount(0);
      await logInByForm(page, account);
      await page.waitForURL((url) => url.pathname === target);
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
    });
  }
});

test('a wrong password is said so, and nothing is lost', async ({ newVisitor }) => {
  const [page, account] = await Promise.all([newVisitor(), createAccount()]);
  await page.goto('/email-login');
  await page.getByLabel('이메일', { exact: true }).fill(account.email);
  await page.getByLabel('비밀번호', { exact: true }).fill('Wrong-lamp-1');
  await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click();
  await expect(page.getByText('이메일 또는 비밀번호가 올바르지 않아요.')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByLabel('이메일', { exact: true })).toHaveValue(account.email);
});

test('a learner has their own header on the landing page too', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  for (const address of ['/', '/terms', '/no/such/page']) {
    await page.goto(address);
    await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
    await expect(page.getByRole('menuitem', { name: '로그아웃' })).toBeVisible();
  }
  // In a narrow window the menu leads to what a wide header shows.
  const links = page.getByRole('banner').getByRole('navigation').getByRole('link');
  await expect(links).toHaveText(['스터디룸', '통계', '그룹', '친구']);
  await expect(page.getByRole('menuitem', { name: '친구' })).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('menuitem', { name: '친구' })).toBeVisible();
  await expect(links).toHaveCount(0);
});

test('an unknown address is a page that says so and leads home', async ({ newVisitor }) => {
  const page = await newVisitor();
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('페이지를 찾을 수 없습니다.')).toBeVisible();
  await expect(page.getByText('404')).toBeVisible();
  await page.getByRole('link', { name: '홈으로' }).click();
  await page.waitForURL('/');
});

test('English is one click away and is remembered', async ({ newVisitor }) => {
  const page = await newVisitor();
  await page.goto('/');
  await page.getByText('EN', { exact: true }).first().click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.goto('/login');
  await expect(page.getByRole('main').getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/terms');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('a page is there before its script, answers to nothing until then, and stays where it is', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  const byEmail = page.getByRole('link', { name: '이메일로 로그인' });
  const language = page.getByRole('button', { name: 'View in English' });
  await expect(byEmail).toBeVisible();
  await expect(language).toBeDisabled();
  await expect(page).toHaveTitle('로그인 · 모각공');
  await page.evaluate(() => document.fonts.ready);
  const before = await byEmail.boundingBox();
  scripts.resolve();
  await expect(language).toBeEnabled();
  expect(await byEmail.boundingBox()).toEqual(before);
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
});

test('the log-in page leads on and back, and the header offers to log in', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto('/terms');
  await page.getByRole('banner').getByRole('link', { name: '로그인' }).click();
  await page.waitForURL('/login');
  await page.getByRole('link', { name: '이메일로 로그인' }).click();
  await page.waitForURL('/email-login');
  await page.getByRole('link', { name: '다른 방법으로 로그인' }).click();
  await page.waitForURL('/login');
  await page.goto('/email-login');
  await page.getByRole('link', { name: '회원가입' }).click();
  await page.waitForURL('/join');
});

test('a learner on /main is welcomed by name among 20 places, and says goodbye', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const header = page.getByRole('banner');
  await expect(header.getByText('환영해요')).toBeVisible();
  await expect(header.getByText(account.nickname)).toBeVisible();
  await expect(header.getByRole('link', { name: '로그인' })).toHaveCount(0);
  await expect(page.getByTestId('placeholder-grid').locator('li')).toHaveCount(20);
  const menu = header.getByRole('button', { name: new RegExp(account.nickname, 'u') });
  await menu.click();
  await expect(page.getByRole('menuitem', { name: '로그아웃' })).toBeVisible();
  await expectAccessible(page);
  await page.getByTestId('placeholder-grid').click({ position: { x: 2, y: 2 }, force: true });
  await expect(page.getByRole('menuitem', { name: '로그아웃' })).toHaveCount(0);
  await menu.click();
  await page.getByRole('menuitem', { name: '로그아웃' }).click();
  await page.waitForURL('/login');
  await expect(page.getByText('로그아웃했어요.')).toBeVisible();
});

test('a log-out in one tab logs out the other', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  const other = await page.context().newPage();
  await other.goto('/main');
  await expect(other.getByText(account.nickname).first()).toBeVisible();
  await page.getByRole('button', { name: new RegExp(account.nickname, 'u') }).click();
  await page.getByRole('menuitem', { name: '로그아웃' }).click();
  await page.waitForURL('/login');
  await other.waitForURL(/\/login/u);
});

test('an expired access token is refreshed once, invisibly', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) refreshes.push(request.url());
  });
  // A page without our scripts: one of ours could refresh the token by itself just before it is left.
  await page.goto('/livez');
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const value = localStorage.getItem(key) ?? '';
      const spoiled = value.replace(
        /eyJ[\w-]+\.[\w-]+\.[\w-]+/gu,
        'eyJhbGciOiJIUzI1NiJ9.e30.expired',
      );
      localStorage.setItem(key, spoiled);
    }
  });
  await page.goto('/main');
  // A reload before the new token is stored would rightly ask for another.
  await page.waitForFunction(() => !JSON.stringify(localStorage).includes('expired'));
  await page.reload();
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '입장하기' }).click();
  await page.waitForURL(/\/studyroom\/\d+$/u);
  await expect(page.getByText(account.nickname).first()).toBeVisible();
  expect(refreshes.length).toBe(1);
});

test('a visitor reads an answer, and asks the operator what is missing', async ({
  newVisitor,
  stack,
}) => {
  const page = await newVisitor();
  await page.goto('/login');
  await page.getByRole('link', { name: '고객센터' }).click();
  await page.getByText('소리도 전달되나요?').click();
  await expect(page.getByText(/마이크 권한을 묻지 않고/u)).toBeVisible();
  await page.getByText('진단 정보', { exact: true }).click();
  await expect(page.getByText(/server: 200 after/u)).toBeVisible();
  await page.getByLabel('답을 받을 이메일').fill('visitor@example.org');
  await page.getByLabel('문의 내용').fill('로그인하지 않고 물어볼 수 있나요?');
  await page.getByRole('button', { name: '문의 보내기' }).click();
  await expect(page.getByText(/아직 메일을 보낼 수 없어요/u)).toBeVisible();
  await expectAccessible(page);
  const outbox = path.join(stack.dataDir, 'outbox');
  const mails = await Promise.all(
    (await readdir(outbox)).map((name) => readFile(path.join(outbox, name), 'utf8')),
  );
  const mail = mails.find((text) => text.includes('Reply-To: visitor@example.org'));
  expect(mail).toContain('로그인하지 않고 물어볼 수 있나요?');
  expect(mail).toContain('browser: Mozilla');
});

test('without a network a learner who saves data gets a page that says so, and nothing was stored for it', async ({
  browser,
  url,
}) => {
  const account = await createAccount();
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'allow' });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      localStorage.setItem('mogakgong.save-data', '{"state":{"mode":"always"},"version":0}');
    });
    await page.goto('/email-login');
    await logInByForm(page, account);
    await page.waitForURL('/main');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller) return;
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve),
      );
    });
    await page.goto('/statistics');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await context.setOffline(true);
    await page.goto('/mypage?from=a%26b#here');
    await expect(page.getByRole('heading', { name: '페이지에 연결할 수 없어요' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '다시 시도' }).click();
    await expect(page.getByRole('heading', { name: '페이지에 연결할 수 없어요' })).toBeVisible();
    // The page opens by itself.
    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: '마이페이지' })).toBeVisible();
    await expect(page).toHaveURL(/\/mypage\?from=a%26b#here$/u);
  } finally {
    await context.close();
  }
});
