import {
  acceptFriend,
  askByFriendLink,
  getFriends,
  inviteFriend,
  openHostedRoom,
  renewFriendLink,
  shareFriendState,
} from '@mogakgong/contract';
import { expectGood } from '../support/accessibility.ts';
import {
  callAs,
  enterFromMain,
  expect,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';

test('friends who both show it sit beside each other, and a request keeps the seat that one has', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const [one, other] = [first.account, second.account];
  const { page } = second;
  const { link } = await callAs(one, renewFriendLink);
  await callAs(other, askByFriendLink, { body: { link } });
  await callAs(one, acceptFriend, { params: { friendId: other.userId } });
  await callAs(one, shareFriendState, { body: { sharesState: true } });
  const friends = page.getByRole('region', { name: '내 친구', exact: true });

  const roomId = await test.step('a friend sits beside', async () => {
    const id = await enterFromMain(first.page);
    await page.goto('/friends');
    await expect(friends).toContainText(one.nickname);
    await expect(friends.getByText('지금 집중 중')).toHaveCount(0);
    await page.getByRole('checkbox', { name: /친구에게 지금 상태 보이기/u }).click();
    await expect(friends.getByText('지금 집중 중')).toBeVisible();
    await expectGood(page);
    await callAs(one, inviteFriend, { params: { friendId: other.userId } });
    await page.goto('/main');
    const invited = page.getByRole('region', { name: '받은 초대' });
    await expect(invited.getByRole('link', { name: `함께 앉기 (${one.nickname})` })).toBeVisible();
    await expectGood(page);
    await page.goto('/friends');
    await friends.getByRole('link', { name: `옆자리에 앉기 (${one.nickname})` }).click();
    await passCameraCheck(page);
    await expect(page).toHaveURL(`/studyroom/${id}`);
    await expect(tileOf(page, one)).toContainText('(친구)');
    await expect(tileOf(first.page, other)).toContainText('(친구)');
    return id;
  });

  await test.step('an invitation reaches a friend in another room; a request keeps the seat', async () => {
    await first.page.getByRole('button', { name: '나가기' }).click();
    const guarded = await callAs(one, openHostedRoom, {
      body: {
        ...{ name: '우리끼리', goal: '', capacity: 4 },
        ...{ isPublic: true, needsApproval: true, needsCamera: false },
      },
    });
    await first.page.goto(`/studyroom/${guarded.roomId}`);
    await passCameraCheck(first.page);
    await page.getByRole('banner').getByRole('link', { name: /^친구/u }).click();
    await friends.getByRole('link', { name: `입장 요청 (${one.nickname})` }).click();
    await expect(page.getByText('지금 앉아 있는 자리는 방장이 수락할 때까지')).toBeVisible();
    await page.getByRole('button', { name: '입장 요청하기' }).click();
    await expect(page.getByText('방장의 수락을 기다리고 있어요')).toBeVisible();
    await expectGood(page);
    const { states } = await callAs(one, getFriends);
    expect(states.map(({ place }) => place)).toEqual([{ roomId, way: 'sit' }]);

    await first.page.getByRole('button', { name: '보기', exact: true }).click();
    await first.page.getByRole('button', { name: `${other.nickname}님의 요청 수락` }).click();
    await passCameraCheck(page);
    await expect(page).toHaveURL(`/studyroom/${guarded.roomId}`);
    await expect(tileOf(first.page, other)).toBeVisible();
  });
});
