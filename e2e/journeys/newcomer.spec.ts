import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, PASSWORD, test } from '../support/journey.ts';

test('a newcomer comes from the landing page through sign-up into a room, with five presses', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  const unique = randomBytes(5).toString('hex');
  const email = `${unique}@example.org`;
  const errors: string[] = [];
  /** Presses from the landing page to the room, without the check of the address that nobody has to make. */
  let presses = 0;
  const press = async (button: Locator) => {
    presses += 1;
    await button.click();
  };
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });

  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));

  await page.goto('/');
  await press(page.getByRole('link', { name: '스터디룸 시작하기' }).first());
  await page.waitForURL(/\/login/u);
  await press(page.getByRole('link', { name: '회원가입' }));
  await page.waitForURL(/\/join/u);

  await page.getByLabel('이메일', { exact: true }).fill(email);
  await page.getByRole('button', { name: '중복 확인' }).click();
  await expect(page.getByText('사용 가능한 이메일입니다.')).toBeVisible();
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.getByLabel('비밀번호 확인').fill(PASSWORD);
  await page.getByLabel('이름(닉네임)').fill(`새내기${unique.slice(0, 4)}`);
  await press(page.getByRole('checkbox', { name: '모두 동의합니다' }));
  await press(page.getByRole('button', { name: '가입하기' }));

  // The log-in follows the sign-up, and the camera check follows the log-in.
  await page.waitForURL('/main?enter');
  expect(visited.slice(-3)).toEqual(['/join', '/email-login', '/main']);
  const enter = page.getByRole('button', { name: '입장하기', exact: true });
  await expect(enter).toBeVisible();
  await expectAccessible(page);
  await press(enter);
  await page.waitForURL(/\/studyroom\/\d+/u);
  expect(presses).toBe(5);
  const roomId = page.url().split('/').at(-1);
  await expect(page.getByText(`새내기${unique.slice(0, 4)}`).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: `${roomId}번 스터디룸` })).toBeVisible();
  await expect(page.locator('[data-participant-identity] video')).toBeVisible();

  await page.getByRole('button', { name: '나가기' }).click();
  await page.waitForURL('/main');
  const kept = await namesKeptIn(page);
  expect(kept.length).toBeGreaterThan(3);
  await page.goto('/privacy');
  for (const name of kept) await expect(page.getByRole('main')).toContainText(name);
  expect(errors).toEqual([]);
});

/** The names of every cookie and storage key of the browser, without what one learner or room adds. */
async function namesKeptIn(page: Page): Promise<string[]> {
  const keys = await page.evaluate(() => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
  ]);
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  return [...keys, ...cookies].map((name) => /^\w*mogakgong[._][\w-]+/u.exec(name)?.[0] ?? name);
}

test('the sign-up form says what is wrong in the words of the specification', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto('/join');
  const submit = page.getByRole('button', { name: '가입하기' });

  await page.getByRole('button', { name: '중복 확인' }).click();
  await expect(page.getByText('이메일을 입력해주세요.')).toBeVisible();
  await page.getByLabel('이메일', { exact: true }).fill('not an address');
  await page.getByRole('button', { name: '중복 확인' }).click();
  await expect(page.getByText('올바른 이메일 형식을 입력해주세요.')).toBeVisible();

  await submit.click();
  await expect(page.getByText('모든 필드를 입력해주세요.')).toBeVisible();
  await page.getByLabel('이메일', { exact: true }).fill('someone@example.org');
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.getByLabel('비밀번호 확인').fill(PASSWORD);
  await page.getByLabel('이름(닉네임)').fill('누군가');
  await submit.click();
  await expect(page.getByText('필수 약관에 모두 동의해주세요.')).toBeVisible();
  await page.getByRole('checkbox', { name: '모두 동의합니다' }).check();
  await page.getByLabel('비밀번호 확인').fill(`${PASSWORD}x`);
  await submit.click();
  await expect(page.getByText('비밀번호가 일치하지 않습니다.')).toBeVisible();
  await page.getByLabel('비밀번호', { exact: true }).fill('short1!');
  await page.getByLabel('비밀번호 확인').fill('short1!');
  await submit.click();
  await expect(
    page.getByText('비밀번호는 8자 이상이면서, 영문자/숫자/특수문자를 모두 포함해야합니다.'),
  ).toBeVisible();
});
