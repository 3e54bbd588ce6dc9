import { createMediaToken, enterRoom, getOwnSanctions } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { expectGood } from '../support/accessibility.ts';
import {
  type Account,
  askAs,
  callAs,
  enterFromMain,
  expect,
  expectMovingPicture,
  logInByForm,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';
import {
  createModerator,
  grantAppeal,
  lift,
  REASON,
  reportAndDecide,
} from '../support/moderation.ts';

/** The time in which a decision reaches media, chat and API (design §1). */
const OUT_WITHIN_MS = 2_000;

/** Reports a learner from their tile. */
async function report(page: Page, { nickname, userId }: Account): Promise<void> {
  const tile = tileOf(page, { userId });
  await tile.getByRole('button', { name: `${nickname} 메뉴` }).click();
  await page.getByRole('menuitem', { name: '신고하기' }).click();
  const dialog = page.getByRole('dialog', { name: `${nickname}님 신고` });
  await dialog.getByRole('radio', { name: /음란한 화면/u }).check();
  await dialog.getByRole('button', { name: '신고하기' }).click();
  await expect(page.getByText('신고가 접수됐어요.')).toBeVisible();
}

/** Claims the case of a reported learner on the console, and bans them. */
async function ban(page: Page, { nickname }: Account): Promise<void> {
  await page.goto('/moderation');
  const waiting = page.getByRole('list', { name: '대기 중' });
  await waiting.getByRole('button', { name: nickname }).click();
  await page.getByRole('button', { name: '맡기', exact: true }).click();
  await page.getByRole('button', { name: '결정하기' }).click();
  const form = page.getByRole('form', { name: '결정' });
  await form.getByText('영구 정지', { exact: true }).click();
  await form.getByLabel('당사자에게 보여 줄 이유').fill(REASON);
  await form.getByRole('button', { name: '결정 확정' }).click();
}

const suspendedPage = (page: Page) =>
  page.getByRole('heading', { level: 1, name: '계정 이용이 정지됐어요' });

test('a learner who is reported and banned is out of media, chat and API, cannot come back, appeals, and is back when it is lifted', async ({
  newLearner,
  newVisitor,
  stack,
}) => {
  const [witness, offender] = await Promise.all([newLearner(), newLearner()]);
  const roomId = await enterFromMain(witness.page);
  expect(await enterFromMain(offender.page)).toBe(roomId);
  await expectMovingPicture(witness.page, offender.account);
  const tab = await offender.page.context().newPage();
  await tab.goto('/settings');

  const [moderator, judge] = [await createModerator(stack), await createModerator(stack)];
  const console = await newVisitor();
  await console.goto('/email-login');
  await logInByForm(console, moderator);
  await console.waitForURL('/main');
  await report(witness.page, offender.account);
  await ban(console, offender.account);
  await expect(tileOf(witness.page, offender.account)).toHaveCount(0, { timeout: OUT_WITHIN_MS });
  await expect(suspendedPage(offender.page)).toBeVisible();
  const { userId } = offender.account;
  const body = { roomName: String(roomId), identity: String(userId) };
  expect((await askAs(offender.account, createMediaToken, { body })).status).toBe(403);
  expect((await askAs(offender.account, enterRoom, { query: { userId } })).status).toBe(403);

  await offender.page.reload();
  await expect(suspendedPage(offender.page)).toBeVisible();
  await expect(suspendedPage(tab)).toBeVisible();
  await tab.goto(`/studyroom/${roomId}`);
  await expect(suspendedPage(tab)).toBeVisible();
  await tab.close();
  const elsewhere = await newVisitor();
  await elsewhere.goto('/email-login');
  await logInByForm(elsewhere, offender.account);
  await expect(suspendedPage(elsewhere)).toBeVisible();

  const { page } = offender;
  const statement = page.getByRole('region', { name: '계정이 영구 정지됐어요' });
  await expect(statement).toContainText(REASON);
  await expect(statement).toContainText('운영자가 해제할 때까지');
  await statement.getByRole('button', { name: '이의 제기하기' }).click();
  await statement.getByLabel('하고 싶은 말').fill('카메라 앞에 동생이 있었어요.');
  await expectGood(page);
  await statement.getByRole('button', { name: '이의 제기 보내기' }).click();
  await expect(statement).toContainText('운영자가 살펴보고 있어요.');

  await grantAppeal(judge, offender.account, '다시 확인해 보니 오해였어요.');
  const answer = page.getByRole('alertdialog', { name: '조치가 해제됐어요' });
  await expect(answer).toContainText('다시 확인해 보니 오해였어요.');
  await expectGood(page);
  await answer.getByRole('button', { name: '확인했어요' }).click();
  await page.goto(`/studyroom/${roomId}`);
  await passCameraCheck(page);
  await expectMovingPicture(witness.page, offender.account);
});

test('a warning is confirmed; a learner who is muted or without camera keeps seat and draft, sees why, and can go on when it ends', async ({
  newLearner,
  stack,
}) => {
  const [witness, learner] = await Promise.all([newLearner(), newLearner()]);
  const roomId = await enterFromMain(witness.page);
  expect(await enterFromMain(learner.page)).toBe(roomId);
  await expectMovingPicture(witness.page, learner.account);
  const { page, account } = learner;
  const moderator = await createModerator(stack);
  const people = { reporter: witness.account, offender: account, moderator, roomId };
  /** Lifts the latest that holds. */
  const liftLatest = async () => {
    const { sanctions } = await callAs(account, getOwnSanctions);
    await lift(
      moderator,
      sanctions.find(({ liftedAtMs, kind }) => liftedAtMs === null && kind !== 'warn')?.id ?? 0,
    );
  };

  // A room on a phone shows no header; the window comes all the same.
  await page.setViewportSize({ width: 390, height: 844 });
  await reportAndDecide(people, 'warn');
  const confirm = async (name: string) => {
    const dialog = page.getByRole('alertdialog', { name });
    await expect(dialog).toBeVisible({ timeout: 5_000 });
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: '확인했어요' }).click();
    await expect(dialog).toHaveCount(0);
  };
  await confirm('경고를 받았어요');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: /채팅 열기/u }).click();
  const input = page.getByRole('textbox', { name: '메시지' });
  await input.fill('쓰던 글');
  await reportAndDecide(people, 'muteChat', 1);
  await confirm('채팅을 보낼 수 없게 됐어요');
  await expect(page.getByText(/까지 채팅을 보낼 수 없어요/u)).toBeVisible();
  await input.press('Enter');
  await input.pressSequentially(', 이어서');
  await expect(input).toHaveValue('쓰던 글, 이어서');

  await reportAndDecide(people, 'cameraOff', 7);
  await confirm('카메라를 켤 수 없게 됐어요');
  await expect(tileOf(witness.page, account).locator('video')).toHaveCount(0);
  await expect(tileOf(witness.page, account)).toHaveCount(1);
  await expectGood(page);

  for (const _ of ['cameraOff', 'muteChat']) {
    await liftLatest();
    await confirm('조치가 해제됐어요');
  }
  await input.press('Enter');
  await expect(input).toHaveValue('');
  await witness.page.getByRole('button', { name: /^채팅 열기/u }).click();
  await expect(witness.page.getByRole('log').getByRole('article')).toHaveText(/쓰던 글, 이어서/u);
  await page.getByRole('button', { name: '카메라 켜기' }).click();
  await expectMovingPicture(witness.page, account);

  await reportAndDecide(people, 'remove');
  await confirm('스터디룸에서 내보내졌어요');
  await expect(
    page.getByRole('heading', { name: '운영자가 나를 이 방에서 내보냈어요' }),
  ).toBeFocused();
  await expect(page.getByRole('button', { name: '다른 방 찾기' })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/이 방에서 내보내져/u)).toBeVisible();
});
