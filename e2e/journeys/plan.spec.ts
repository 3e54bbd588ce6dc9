import { DAY_MS, HOUR_MS } from '@mogakgong/contract';
import { expectAccessible } from '../support/accessibility.ts';
import { enterFromMain, expect, test } from '../support/journey.ts';
import { endGoalDay, letAccountBeOld, writeHistory } from '../support/study-history.ts';

/** The date in Seoul so many days from now. */
const dayAfter = (days: number) =>
  new Date(Date.now() + 9 * HOUR_MS + days * DAY_MS).toISOString().slice(0, 10);

test('a learner plans: a task is carried over, an exam is counted down, in the room as well', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();

  await test.step('tasks of today and later, an exam day and a weekly goal are noted', async () => {
    await page.getByRole('button', { name: `${account.nickname} 메뉴` }).click();
    await page.getByRole('menuitem', { name: '계획' }).click();
    await page.waitForURL('/plan');
    await page.getByLabel('새 할 일').fill('수학 40~55쪽');
    await page.keyboard.press('Enter');
    await page.getByLabel('새 할 일').fill('영어 단어');
    await page.keyboard.press('Enter');
    await page.getByLabel('영어 단어', { exact: true }).check();
    await page.getByLabel('할 일', { exact: true }).fill('모의고사 오답');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: '모의고사 오답 지우기' })).toBeVisible();
    await page.getByLabel('시험 이름').fill('수능');
    await page.getByLabel('날짜').fill(dayAfter(30));
    await page.getByRole('button', { name: '시험일 추가' }).click();
    await expect(page.getByText('D-30')).toBeVisible();
    await page.getByLabel('한 주 목표 시간').selectOption({ label: '20시간' });
    await expect(page.getByText('/ 20시간 · 0%')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an unfinished task is carried over to the next day, and can be moved on', async () => {
    await endGoalDay(stack.dataDir, account.userId);
    await page.reload();
    const today = page.getByRole('region', { name: '오늘 목표' });
    const carried = today.getByRole('listitem').filter({ hasText: '수학 40~55쪽' });
    await expect(carried).toContainText('어제에서 넘어옴');
    await expect(today.getByText('영어 단어')).toHaveCount(0);
    await carried.getByRole('button', { name: '수학 40~55쪽 내일로 옮기기' }).click();
    await expect(carried).toHaveCount(0);
    await expect(page.getByRole('button', { name: '수학 40~55쪽 지우기' })).toBeVisible();
    await expect(page.getByText('D-30')).toBeVisible();
  });

  await test.step('the count of days is on /main and at the desk in the room', async () => {
    await page.goto('/main');
    await enterFromMain(page);
    const bar = page.locator('[data-bar]');
    const exam = bar.getByText('수능', { exact: true });
    for (const width of [320, 390, 640, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(bar.getByText('D-30', { exact: true }), `${width} px`).toBeVisible();
      if (width >= 1280)
        expect(await exam.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(16);
    }
    // The usual words of the subject's chip are whole on a tablet.
    await page.setViewportSize({ width: 768, height: 800 });
    const chip = bar.getByText('과목 없음', { exact: true });
    expect(await chip.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    await page.getByRole('button', { name: '내 책상' }).click();
    await expect(
      page.getByRole('region', { name: '내 책상' }).getByText('수능 D-30'),
    ).toBeVisible();
    await page.getByRole('link', { name: '계획과 시험일' }).click();
    await page.waitForURL('/plan');
    await page.goto('/main');
    await expect(page.getByRole('region', { name: '내 기록' })).toContainText('수능D-30');
  });
});

test('forgotten time is entered by hand, shown as such, and refused over other time', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  // The first hour of yesterday in Seoul.
  const midnightMs = Date.parse(`${dayAfter(-1)}T00:00:00+09:00`);
  await writeHistory(stack.dataDir, account.userId, [
    { beganAt: new Date(midnightMs + 9 * HOUR_MS), intervals: [{ status: 'focus', minutes: 60 }] },
  ]);
  await letAccountBeOld(stack.dataDir, account.userId);
  await page.goto('/statistics');
  const month = page.getByRole('region', { name: '월별 기록', exact: true });
  const yesterday = Number(dayAfter(-1).slice(8));
  if (yesterday > Number(dayAfter(0).slice(8))) {
    await month.getByRole('button', { name: '이전 달' }).click();
  }
  await month
    .getByRole('button', { name: new RegExp(`월 ${yesterday}일 .*집중 1시간`, 'u') })
    .click();
  await expect(month.getByRole('listitem').filter({ hasText: '1시간' })).toBeVisible();

  const enter = async (from: string, to: string) => {
    await month.getByRole('button', { name: '공부 시간 직접 입력' }).click();
    await month.getByLabel('시작').fill(from);
    await month.getByLabel('끝').fill(to);
    await month.getByRole('button', { name: '저장' }).click();
  };
  await enter('09:30', '10:30');
  await expect(month.getByRole('alert')).toHaveText('이미 기록된 시간과 겹쳐요.');
  await expectAccessible(page);
  await month.getByLabel('시작').fill('10:00');
  await month.getByRole('button', { name: '저장' }).click();
  const entered = month.getByRole('listitem').filter({ hasText: '직접 입력' });
  await expect(entered).toContainText('30분');
  await expect(
    month.getByRole('button', {
      name: new RegExp(`월 ${yesterday}일 .*집중 1시간, 직접 입력 30분`, 'u'),
    }),
  ).toBeVisible();
  // The sums stay honest.
  await expect(page.getByRole('region', { name: '연속 출석', exact: true })).toContainText('1일');
  await entered.getByRole('button', { name: /지우기$/u }).click();
  await expect(entered).toHaveCount(0);
});
