import { askByFriendLink, renewFriendLink } from '@mogakgong/contract';
import { expectAccessible, expectGood, expectNoSidewaysScroll } from '../support/accessibility.ts';
import {
  callAs,
  chooseLanguage,
  createAccount,
  enterFromMain,
  expect,
  logInByForm,
  test,
  tileOf,
} from '../support/journey.ts';

test('one asks in the room, the other says yes, and a block ends it', async ({ newLearner }) => {
  const first = await newLearner();
  const second = await newLearner();
  const roomId = await enterFromMain(first.page);
  expect(await enterFromMain(second.page)).toBe(roomId);
  const [one, other] = [first.account.nickname, second.account.nickname];

  // Who is connected sees who else is there, and gets notices.
  await expect(tileOf(second.page, first.account)).toContainText(one);
  const theirTile = tileOf(first.page, second.account);
  await theirTile.getByRole('button', { name: `${other} 메뉴` }).click();
  await first.page.getByRole('menuitem', { name: '친구 요청하기' }).click();
  await expect(first.page.getByText(`${other}님에게 친구 요청을 보냈어요.`)).toBeVisible();

  // The room goes on behind the page of friends.
  await expect(second.page.getByText(`${one}님이 친구 요청을 보냈어요.`)).toBeVisible();
  await second.page.getByRole('button', { name: '보기' }).click();
  await expect(second.page).toHaveURL(/\/friends$/u);
  const inHeader = second.page.getByRole('banner').getByRole('link', { name: /^친구/u });
  await expect(inHeader).toHaveAccessibleName('친구 새 친구 요청');
  const received = second.page.getByRole('region', { name: '받은 요청' });
  await expect(received).toContainText(one);
  await expectGood(second.page);
  await received.getByRole('button', { name: `${one}님의 친구 요청 수락` }).click();
  const friends = second.page.getByRole('region', { name: '내 친구', exact: true });
  await expect(friends).toContainText(one);
  await expect(received).toHaveCount(0);
  await expect(inHeader).toHaveAccessibleName('친구');

  await expect(first.page.getByText(`${other}님과 친구가 됐어요.`)).toBeVisible();
  await first.page.getByRole('button', { name: '보기' }).click();
  await expect(first.page.getByRole('region', { name: '내 친구', exact: true })).toContainText(
    other,
  );

  await friends.getByRole('button', { name: `${one} 메뉴` }).click();
  await second.page.getByRole('menuitem', { name: '차단하기' }).click();
  await second.page.getByRole('alertdialog').getByRole('button', { name: '차단하기' }).click();
  await expect(second.page.getByText('아직 친구가 없어요')).toBeVisible();
  await first.page.reload();
  await expect(first.page.getByText('아직 친구가 없어요')).toBeVisible();
});

test('a link leads a visitor to its owner after log-in, and the owner says yes', async ({
  newLearner,
  newVisitor,
}) => {
  const { page: owner, account } = await newLearner();
  await owner.goto('/friends');
  await owner.getByRole('button', { name: '링크 만들기' }).click();
  const link = await owner.getByRole('textbox', { name: '링크' }).inputValue();

  const [visitor, friend] = [await newVisitor(), await createAccount()];
  await visitor.goto(link);
  await expect(visitor).toHaveURL(/\/friends\/link$/u);
  await visitor.reload();
  await visitor.getByRole('link', { name: '로그인하기' }).click();
  await visitor.getByRole('link', { name: '이메일로 로그인' }).click();
  await logInByForm(visitor, friend);
  await expect(visitor).toHaveURL(/\/friends\/link$/u);
  await expect(visitor.getByText(account.nickname)).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: '친구 요청하기' }).click();
  await expect(visitor.getByText('요청을 보냈어요.')).toBeVisible();

  // Each entry of the history keeps the link that it was opened by.
  const stranger = await createAccount();
  const other = await callAs(stranger, renewFriendLink);
  await visitor.goto(`/friends/link#${other.link}`);
  await expect(visitor.getByText(stranger.nickname)).toBeVisible();
  await visitor.goBack();
  await expect(visitor.getByText(account.nickname)).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('요청을 보냈어요.')).toBeVisible();

  await owner.goto(link);
  await expect(owner.getByRole('heading', { name: '내 링크예요' })).toBeVisible();
  await expectAccessible(owner);
  await owner.getByRole('link', { name: '친구 목록으로' }).click();
  await owner.getByRole('button', { name: `${friend.nickname}님의 친구 요청 수락` }).click();
  await expect(owner.getByText(`${friend.nickname}님과 친구가 됐어요.`)).toBeVisible();
  await visitor.getByRole('link', { name: '친구 목록으로' }).click();
  await expect(visitor.getByRole('region', { name: '내 친구', exact: true })).toContainText(
    account.nickname,
  );
});

test('the whole name of a person who asks is there to read, also on the smallest phone', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const { link } = await callAs(account, renewFriendLink);
  const names = ['1', '2'].map((end) => `${account.nickname}WWWWWWWW${end}`);
  for (const name of names) {
    await callAs(await createAccount(name), askByFriendLink, { body: { link } });
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/friends');
  await chooseLanguage(page, 'en');
  const requests = page.getByRole('region', { name: 'Requests', exact: true });
  for (const name of names) {
    await expect(
      requests.getByRole('button', { name: `Accept ${name} as a friend` }),
    ).toBeVisible();
    // Nothing of it is cut.
    const { needed, given } = await requests
      .getByText(name, { exact: true })
      .evaluate(({ scrollWidth, clientWidth }) => ({ needed: scrollWidth, given: clientWidth }));
    expect(needed).toBeLessThanOrEqual(given);
  }
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
