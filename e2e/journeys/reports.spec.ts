import { getReportStill } from '@mogakgong/contract';
import { expectAccessible, expectGood } from '../support/accessibility.ts';
import {
  askAs,
  enterFromMain,
  expect,
  expectMovingPicture,
  test,
  tileOf,
} from '../support/journey.ts';
import { createModerator, decideCaseOf } from '../support/moderation.ts';

test('somebody is reported from their tile by keyboard, with a still, and the reporter gets an answer', async ({
  newLearner,
  stack,
}) => {
  const [{ page, account }, offender] = [await newLearner(), await newLearner()];
  expect(await enterFromMain(page)).toBe(await enterFromMain(offender.page));
  await expectMovingPicture(page, offender.account);

  await tileOf(page, offender.account)
    .getByRole('button', { name: / 메뉴$/u })
    .press('Enter');
  await page.getByRole('menuitem', { name: '신고하기' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `${offender.account.nickname}님 신고` });
  await dialog.getByRole('radio', { name: /^음란/u }).press('Space');
  await dialog.getByRole('checkbox', { name: /화면 한 장/u }).press('Space');
  await expect(dialog.getByRole('img', { name: /함께 보낼/u })).toBeVisible();
  await expectGood(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const cue = () =>
    dialog
      .locator('.dialog-end')
      .evaluate((end) => Number(getComputedStyle(end, '::before').opacity));
  await expect.poll(cue, 'there is more below').toBe(1);
  await dialog.evaluate((each) => each.scrollTo(0, each.scrollHeight));
  await expect.poll(cue, 'this is the end').toBe(0);
  await page.setViewportSize({ width: 1280, height: 1200 });
  await expect.poll(cue, 'everything is in sight').toBe(0);
  await dialog.getByRole('button', { name: '신고하기' }).press('Enter');
  const received = page.getByRole('alertdialog', { name: '신고가 접수됐어요.' });
  await expect(received).not.toContainText('화면은 보내지 못했지만');
  await received.getByRole('button', { name: '닫기' }).click();

  const moderator = await createModerator(stack);
  const [report] = await decideCaseOf(offender.account, moderator, 'warn');
  expect(report).toMatchObject({ reporter: { userId: account.userId }, hasStill: true });
  const params = { reportId: report?.reportId ?? 0 };
  const still = await askAs(moderator, getReportStill, { params });
  expect(
    Buffer.from(await still.arrayBuffer())
      .subarray(8, 12)
      .toString(),
  ).toBe('WEBP');

  await expect(page.getByText('신고 결과가 나왔어요.')).toBeVisible();
  await page.getByRole('button', { name: '보기', exact: true }).click();
  const own = page.getByRole('region', { name: '내 신고' });
  await expect(own.getByText('조치함')).toBeVisible();
  await expectAccessible(page);
});
