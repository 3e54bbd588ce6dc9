import { showSubject } from '@mogakgong/contract';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import {
  callAs,
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';

/** What a learner's focus is counted under, among the subjects that a part of the page offers. */
const current = (part: Locator) => part.getByRole('button', { pressed: true });

async function addSubject(page: Page, part: Locator, name: string): Promise<void> {
  await part.getByRole('button', { name: '새 과목' }).press('Enter');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(current(part)).toHaveText(name);
}

test('a subject is chosen on entering and changed in the room, and both are in the statistics', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  await addSubject(page, page.getByRole('dialog'), '수학');
  await expectAccessible(page);
  await passCameraCheck(page);
  const clock = tileOf(page, account).getByRole('timer');
  await expect(clock).toHaveText(/:(?:0[3-9]|[1-5]\d)$/u);

  await page.getByRole('button', { name: '내 책상' }).click();
  const desk = page.getByRole('region', { name: '과목' });
  await expect(current(desk)).toHaveText('수학');
  await addSubject(page, desk, 'English');
  await expectAccessible(page);

  // A tile narrower than 320 px: a slim line with a second one for the subject.
  await callAs(account, showSubject, { body: { isShown: true } });
  await page.getByRole('button', { name: '닫기', exact: true }).click();
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(tileOf(page, account).getByText('English')).toBeVisible();
    await expect(tileOf(page, account).getByText(account.nickname)).toBeVisible();
  }

  // A small tile without a picture says why above the subject: on a phone more than four are in two columns.
  const roomId = Number(new URL(page.url()).pathname.split('/').at(-1));
  for (let others = 0; others < 4; others += 1) await enterByApi(await createAccount(), roomId);
  await page.getByRole('button', { name: '카메라 끄기' }).click();
  await page.setViewportSize({ width: 400, height: 800 });
  const tile = tileOf(page, account);
  const reason = tile.locator('.tile-reason > p');
  await expect(reason).toBeVisible();
  await expect.poll(async () => (await tile.boundingBox())?.width).toBeLessThan(208);
  expect((await tile.boundingBox())?.width).toBeGreaterThan(176);
  const [words, plate] = [
    await reason.boundingBox(),
    await tile.getByText(account.nickname).boundingBox(),
  ];
  expect(Number(words?.y) + Number(words?.height)).toBeLessThanOrEqual(Number(plate?.y));
  await page.setViewportSize({ width: 1280, height: 720 });

  // The clock has gone on.
  await expect(clock).toHaveText(/:(?:0[6-9]|[1-5]\d)$/u);
  await page.goto('/statistics');
  const panel = page.getByRole('region', { name: '과목별 집중 시간', exact: true });
  await expect(panel.getByRole('listitem')).toHaveText([/수학|English/u, /수학|English/u]);
  await panel.getByText('7일').click();
  await expect(panel.getByRole('button', { name: /수학/u }).first()).toBeVisible();
  await panel.getByRole('button', { name: /표로 보기/u }).click();
  await expect(panel.getByRole('row').first()).toContainText('수학');
  await expectAccessible(page);
});

test('the button to enter stays in its place when subjects and counts come late', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  const answers = Promise.withResolvers<void>();
  await page.route('**/api/subjects', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await page.route('**/api/study-rooms/liveliness', async (route) => {
    await answers.promise;
    await route.fulfill({ json: { learners: 0, rooms: 0, fullest: null } });
  });
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  const enter = page.getByRole('dialog').getByRole('button', { name: '입장하기', exact: true });
  await expect(enter).toBeEnabled();
  const before = await enter.boundingBox();
  answers.resolve();
  await expect(page.getByRole('button', { name: '새 과목' })).toBeVisible();
  await expect(page.getByRole('dialog').getByText(/지금은 공부하는 사람이 없어요/u)).toBeVisible();
  await expect(page.getByText('내 배경 흐리게 하기')).toBeVisible();
  expect(await enter.boundingBox()).toEqual(before);
});

test('a subject is renamed and removed in the room; its time stays under its name', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  await enterFromMain(page);
  await page.getByRole('button', { name: '내 책상' }).click();
  const desk = page.getByRole('region', { name: '과목' });
  await addSubject(page, desk, '수학');
  const clock = tileOf(page, account).getByRole('timer');
  const atFirst = await clock.textContent();
  await expect(clock).not.toHaveText(atFirst ?? '');

  await desk.getByRole('button', { name: '과목 관리' }).click();
  await desk.getByRole('button', { name: '수학 이름 바꾸기' }).click();
  await desk.getByLabel('과목 이름').fill('미적분');
  await page.keyboard.press('Enter');
  await desk.getByRole('button', { name: '미적분 지우기' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '지우기' }).click();
  await expect(desk.getByRole('button', { name: '새 과목' })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/statistics');
  const panel = page.getByRole('region', { name: '과목별 집중 시간', exact: true });
  await expect(panel).toContainText('미적분 (지운 과목)');
  const title = await panel.getByRole('heading').boundingBox();
  const button = await panel.getByRole('button', { name: /표로 보기/u }).boundingBox();
  // On a phone it stands beside the title.
  expect(button?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
});
