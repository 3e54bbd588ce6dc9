import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectGood, inBothThemes, tabOrder } from '../support/accessibility.ts';
import { expect, logInByForm, test } from '../support/journey.ts';

const providers = [
  ['google', 'Google'],
  ['kakao', '카카오'],
  ['naver', '네이버'],
] as const;

/** Consents on the page of the double. */
async function consent(page: Page, company: string, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: company })).toBeVisible();
  await expect(page.getByText('개발용 대역이에요')).toBeVisible();
  await page.getByLabel('이름').fill(name);
  await page.getByLabel(/^이메일 \(/u).fill('');
  await page.getByRole('button', { name: '동의하고 계속하기' }).click();
}

for (const [provider, company] of providers) {
  test(`a person signs up by ${provider}, and finds the same account on another computer`, async ({
    newVisitor,
  }) => {
    const page = await newVisitor();
    const name = `하늘${randomBytes(4).toString('hex')}`;
    await page.goto('/statistics');
    await page.waitForURL(/\/login\?next=/u);
    await page.getByRole('link', { name: `${company}로 로그인 (개발용)` }).click();
    await consent(page, company, name);

    await page.waitForURL(/\/signup\/extra-info/u);
    await expect(page.getByLabel('이름(닉네임)')).toHaveValue(name);
    await page.goto('/main');
    await page.waitForURL(/\/login/u);
    await page.goBack();
    await page.getByRole('checkbox', { name: '모두 동의합니다' }).check();
    await page.getByRole('button', { name: '가입하기' }).click();
    await page.waitForURL(/\/(statistics|main)$/u);
    await expect(page.getByText(name).first()).toBeVisible();

    const other = await newVisitor();
    await other.goto('/login');
    await other.getByRole('link', { name: `${company}로 로그인 (개발용)` }).click();
    await consent(other, company, name);
    await other.waitForURL('/main');
    await expect(other.getByText(name).first()).toBeVisible();
    await other.reload();
    await expect(other.getByText(name).first()).toBeVisible();
  });
}

test('a visitor who declines learns why and can try again; a stolen code logs nobody in', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto('/login');
  await page.getByRole('link', { name: /^네이버로 로그인/u }).click();
  await page.getByRole('button', { name: '취소' }).click();
  await page.waitForURL('/auth/failure?error=access_denied');
  await expect(page.getByText('동의를 취소했어요.')).toBeVisible();
  await page.getByRole('link', { name: '로그인으로 돌아가기' }).click();
  await page.waitForURL('/login');

  await page.goto('/auth/success');
  await page.waitForURL('/auth/failure?error=missing_token');
  await page.goto('/kakao/callback?code=stolen&state=unknown');
  await page.waitForURL('/auth/failure?error=socialLoginExpired');
});

test('a learner links a log-in in the settings, logs in by it, and unlinks it', async ({
  newLearner,
  newVisitor,
}) => {
  const { page, account } = await newLearner();
  const name = `연결${randomBytes(4).toString('hex')}`;
  await page.goto('/settings/security');
  await page.getByRole('button', { name: '카카오 연결하기' }).click();
  await consent(page, '카카오', name);
  await page.waitForURL('/settings/security');
  await expect(page.getByText('로그인 방법을 연결했어요.')).toBeVisible();

  const other = await newVisitor();
  await other.goto('/login');
  await other.getByRole('link', { name: /^카카오로 로그인/u }).click();
  await consent(other, '카카오', name);
  await other.waitForURL('/main');
  await expect(other.getByText(account.nickname).first()).toBeVisible();

  await page.getByRole('button', { name: '카카오 연결 해제' }).click();
  await expect(page.getByRole('button', { name: '카카오 연결하기' })).toBeVisible();
  const third = await newVisitor();
  await third.goto('/email-login');
  await logInByForm(third, account);
  await third.waitForURL('/main');
});

test('the pages of a social log-in pass axe in light and in dark, fit from 320 px and need no mouse', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  const press = async (key: string, name: string | RegExp) => {
    await page.getByRole('link', { name }).focus();
    await page.keyboard.press(key);
  };
  await page.goto('/login');
  await press('Enter', '카카오로 로그인 (개발용)');
  await page.getByLabel('이름').fill(`긴이름${'가'.repeat(12)}${randomBytes(2).toString('hex')}`);
  await page.keyboard.press('Enter');
  const name = page.getByLabel('이름(닉네임)');
  await expect(name).toBeVisible();
  await inBothThemes(page, expectGood);

  await name.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('필수 약관에 모두 동의해주세요.')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: '모두 동의합니다' })).toBeFocused();
  await inBothThemes(page, expectGood);
  await page.keyboard.press('Space');
  // The log-in stays under way for as long as the answer does not come.
  await page.route('**/api/auth/refresh', () => undefined);
  await page.goto(`/auth/success#token=${'x.eyJzaWQiOiJzIn0.x'}`);
  await expect(page.getByRole('heading', { name: '로그인 처리 중' })).toBeVisible();
  await inBothThemes(page, expectGood);
  await page.unrouteAll();
  await page.goto('/auth/success');
  await page.waitForURL('/auth/failure?error=missing_token');
  await expect(page.getByText('로그인 정보를 받지 못했어요.')).toBeVisible();
  await inBothThemes(page, expectGood);
  await press('Enter', '로그인으로 돌아가기');
  await page.waitForURL('/login');
});

const consents = [
  '모두 동의합니다',
  '만 14세 이상입니다 (필수)',
  '이용약관에 동의합니다 (필수)',
  '이용약관',
  '개인정보처리방침에 동의합니다 (필수)',
  '개인정보처리방침',
];
const reveal = '비밀번호 보기';

test('Tab walks through the pages of logging in as they are read', async ({ newVisitor }) => {
  const page = await newVisitor();
  for (const [path, control, ...order] of [
    ['/email-login', '로그인', '이메일', '비밀번호', reveal, '로그인', '아이디·비밀번호 찾기'],
    [
      '/join',
      '가입하기',
      ...['이메일', '중복 확인', '비밀번호', reveal, '비밀번호 확인', reveal, '이름(닉네임)'],
      ...[...consents, '가입하기', '이미 계정이 있어요'],
    ],
    ['/password-reset', '메일 받기', '이메일', '메일 받기', '이메일 로그인'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('button', { name: control })).toBeVisible();
    expect((await tabOrder(page)).slice(0, order.length)).toEqual(order);
  }
  await page.goto('/login');
  const kakao = page.getByRole('link', { name: /^카카오로/u });
  await expect(kakao).toBeVisible();
  expect((await tabOrder(page)).slice(0, 6)).toEqual([
    '회원가입',
    ...['카카오', '네이버', 'Google'].map((name) => `${name}로 로그인 (개발용)`),
    '이메일로 로그인',
    '다른 방법으로 로그인',
  ]);
  await kakao.press('Enter');
  await consent(page, '카카오', `탭${randomBytes(4).toString('hex')}`);
  await expect(page.getByRole('button', { name: '가입하기' })).toBeVisible();
  expect(await tabOrder(page)).toEqual([
    ...['이름(닉네임)', ...consents, '가입하기', '다른 방법으로 로그인'],
  ]);
});
