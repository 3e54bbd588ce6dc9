import {
  errors,
  type FriendCard,
  type FriendState,
  type Friends,
  RoomId,
  UserId,
} from '@mogakgong/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { queryClient } from '../../shared/api/query.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { FriendsPage } from './friends-page.tsx';

const person = (id: number, nickname: string): FriendCard => ({
  userId: UserId.parse(id),
  nickname,
  profileImage: 'default.jpg',
});
const [seojun, jiu, haneul] = [person(2, '서준'), person(3, '지우'), person(4, '하늘')];
const nobody: Friends = {
  ...{ friends: [], received: [], sent: [], link: null },
  ...{ sharesState: false, states: [], invitations: [] },
};
const LINK = 'a-friend-link-of-twenty-and-more';

async function show(friends: Partial<Friends>, answers: Record<string, unknown> = {}) {
  logIn();
  queryClient.setQueryData(['learner', 1, 'profile', 'ko'], { hasFriendRequest: true });
  const api = await showPage(
    <>
      <FriendsPage />
      <Notices />
    </>,
    { '/api/friends': { ...nobody, ...friends }, ...answers },
  );
  await screen.findByRole('heading', { level: 1, name: '친구' });
  return api;
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const namesIn = (region: string) =>
  within(screen.getByRole('region', { name: region }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent);

test('a learner without friends reads how to find some, and makes a link', async () => {
  const { asked } = await show({}, { '/api/friends/link': { link: LINK } });
  expect(await screen.findByText('아직 친구가 없어요')).toBeTruthy();
  expect(screen.queryByRole('region', { name: '받은 요청' })).toBeNull();
  expect(screen.queryByRole('region', { name: '보낸 요청' })).toBeNull();
  press('링크 만들기');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: '링크' });
  expect(field.value).toBe(`${window.location.origin}/friends/link#${LINK}`);
  expect(asked).toContain('POST /api/friends/link');
});

test('a link is replaced after a confirmation', async () => {
  const other = `another-${LINK}`;
  const { asked } = await show({ link: LINK }, { '/api/friends/link': { link: other } });
  await screen.findByRole('textbox', { name: '링크' });
  press('새 링크');
  const question = await screen.findByRole('alertdialog', { name: '친구 링크를 바꿀까요?' });
  expect(asked).not.toContain('POST /api/friends/link');
  fireEvent.click(within(question).getByRole('button', { name: '새 링크' }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '링크' }).value).toContain(other),
  );
});

test('friends are listed by name', async () => {
  await show({ friends: [haneul, seojun, jiu] });
  await screen.findByText('3명');
  expect(namesIn('내 친구')).toEqual(['서준', '지우', '하늘']);
});

test('a request is accepted, and the dot of the header goes with the last', async () => {
  const { asked } = await show(
    { received: [seojun], friends: [jiu] },
    { '/api/friends/2': { ...nobody, friends: [seojun, jiu] } },
  );
  await screen.findByText('거절해도 상대방에게 알리지 않아요.');
  press('서준님의 친구 요청 수락');
  expect(await screen.findByText('서준님과 친구가 됐어요.')).toBeTruthy();
  expect(namesIn('내 친구')).toEqual(['서준', '지우']);
  expect(screen.queryByRole('region', { name: '받은 요청' })).toBeNull();
  expect(asked).toContain('PUT /api/friends/2');
  expect(queryClient.getQueryData(['learner', 1, 'profile', 'ko'])).toEqual({
    hasFriendRequest: false,
  });
});

test('a received request is declined, and a sent one withdrawn', async () => {
  const { asked, answers } = await show(
    { received: [seojun], sent: [jiu] },
    { '/api/friends/2': { ...nobody, sent: [jiu] }, '/api/friends/3': nobody },
  );
  await screen.findByText('30일 동안 답이 없으면 사라져요.');
  press('서준님의 친구 요청 거절');
  expect(await screen.findByText('요청을 거절했어요. 상대방에게는 알리지 않아요.')).toBeTruthy();
  answers['/api/friends'] = nobody;
  press('지우님에게 보낸 친구 요청 취소');
  expect(await screen.findByText('요청을 취소했어요.')).toBeTruthy();
  expect(asked.filter((request) => request.startsWith('DELETE'))).toEqual([
    'DELETE /api/friends/2',
    'DELETE /api/friends/3',
  ]);
});

test('a friendship ends only after a confirmation', async () => {
  const { asked } = await show({ friends: [seojun] }, { '/api/friends/2': nobody });
  await screen.findByText('1명');
  const choose = () => {
    press('서준 메뉴');
    fireEvent.click(screen.getByRole('menuitem', { name: '친구 끊기' }));
  };
  const question = () => screen.findByRole('alertdialog', { name: '서준님과 친구를 끊을까요?' });
  choose();
  fireEvent.click(within(await question()).getByRole('button', { name: '취소' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked).not.toContain('DELETE /api/friends/2');
  choose();
  fireEvent.click(within(await question()).getByRole('button', { name: '친구 끊기' }));
  expect(await screen.findByText('서준님과 친구를 끊었어요.')).toBeTruthy();
  expect(screen.getByText('아직 친구가 없어요')).toBeTruthy();
});

describe('an invitation into the own room', () => {
  const INVITE = 'POST /api/friends/2/invitation';
  const ENTRY = '내 방으로 초대';
  const state = (way: 'here' | 'sit'): FriendState => ({
    userId: seojun.userId,
    status: 'focus',
    place: { roomId: RoomId.parse(7), way },
  });
  const openMenu = async (friends: Partial<Friends>) => {
    const api = await show({ friends: [seojun], ...friends }, { '/api/friends/2/invitation': {} });
    await screen.findByText('1명');
    press('서준 메뉴');
    return api;
  };
  const sit = () =>
    useCurrentRoom.setState({
      seat: { userId: UserId.parse(1), roomId: RoomId.parse(7), isCameraOn: true },
    });
  afterEach(() => useCurrentRoom.setState({ seat: null }));

  test('is sent by a press in the menu of a friend', async () => {
    sit();
    const { asked } = await openMenu({ sharesState: true, states: [state('sit')] });
    fireEvent.click(screen.getByRole('menuitem', { name: ENTRY }));
    expect(await screen.findByText(/^서준님을 초대했어요\./u)).toBeTruthy();
    expect(asked).toContain(INVITE);
  });

  test.each([
    ['without a seat', false, { sharesState: true }],
    ['to friends from whom the learner hides their state', true, { sharesState: false }],
    ['to a friend in the same room', true, { sharesState: true, states: [state('here')] }],
  ])('is not offered %s', async (_, isSeated, friends) => {
    if (isSeated) sit();
    await openMenu(friends);
    expect(screen.getByRole('menuitem', { name: '친구 끊기' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: ENTRY })).toBeNull();
  });
});

test('a blocked friend is no longer a friend', async () => {
  const { answers } = await show({ friends: [seojun] }, { '/api/blocks/2': { blockedIds: [2] } });
  await screen.findByText('1명');
  press('서준 메뉴');
  fireEvent.click(screen.getByRole('menuitem', { name: '차단하기' }));
  const question = await screen.findByRole('alertdialog', { name: '서준님을 차단할까요?' });
  answers['/api/friends'] = nobody;
  fireEvent.click(within(question).getByRole('button', { name: '차단하기' }));
  expect(await screen.findByText('아직 친구가 없어요')).toBeTruthy();
});

test('a request that no longer exists is reported, and the list is loaded again', async () => {
  const { answers } = await show(
    { received: [seojun] },
    { '/api/friends/2': () => refusal('friendRequestEnded') },
  );
  await screen.findByText('서준');
  answers['/api/friends'] = nobody;
  press('서준님의 친구 요청 수락');
  expect(await screen.findByText(errors.friendRequestEnded.ko)).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('서준')).toBeNull());
});

test('a learner with friends has their leaderboard beside them, off until they choose it', async () => {
  const off = { isOn: false, people: [], ownTotalMs: null, serverNowMs: Date.now() };
  await show({ friends: [seojun] }, { '/api/friends/leaderboard': off });
  const board = await screen.findByRole('region', { name: '리더보드' });
  expect(await within(board).findByRole('button', { name: '켜고 보기' })).toBeTruthy();
  expect(board.textContent).not.toContain('서준');
});

test('friends who both show it see what the other does, and the way to the seat beside them', async () => {
  const state = (userId: UserId, status: FriendState['status'], way: 'here' | 'sit' | 'ask') => ({
    ...{ userId, status, place: { roomId: RoomId.parse(7), way } },
  });
  const states = [
    state(seojun.userId, 'focus', 'sit'),
    state(jiu.userId, 'pause', 'ask'),
    { userId: haneul.userId, status: 'away' as const, place: null },
  ];
  await show({ friends: [seojun, jiu, haneul], sharesState: true, states });
  const rowOf = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement);
  expect(rowOf('서준').getByText('지금 집중 중')).toBeTruthy();
  expect(
    rowOf('서준')
      .getByRole('link', { name: /^옆자리에 앉기/u })
      .getAttribute('href'),
  ).toBe('/studyroom/7');
  expect(rowOf('지우').getByRole('link', { name: /^입장 요청/u })).toBeTruthy();
  expect(rowOf('하늘').getByText('자리 비움')).toBeTruthy();
  expect(rowOf('하늘').queryByRole('link')).toBeNull();
});

test('the learner turns it on, and declines an invitation', async () => {
  const invitations = [{ from: jiu, roomId: RoomId.parse(7) }];
  const { asked } = await show(
    { friends: [jiu], invitations },
    {
      '/api/friends/sharing': { ...nobody, friends: [jiu], invitations, sharesState: true },
      '/api/friends/3/invitation': { ...nobody, friends: [jiu], sharesState: true },
    },
  );
  const box = screen.getByRole<HTMLInputElement>('checkbox', {
    name: /친구에게 지금 상태 보이기/u,
  });
  expect(box.checked).toBe(false);
  fireEvent.click(box);
  await waitFor(() => expect(box.checked).toBe(true));
  press('괜찮아요 (지우)');
  await waitFor(() => expect(screen.queryByRole('region', { name: '받은 초대' })).toBeNull());
  expect(asked).toEqual(
    expect.arrayContaining(['PUT /api/friends/sharing', 'DELETE /api/friends/3/invitation']),
  );
});
