import { RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { askToBeFriends, takeFriendNews } from './in-room.ts';

const self = UserId.parse(1);
const key = ['learner', self, 'friends'];

beforeEach(() => {
  queryClient.setQueryData(key, {});
  render(<Notices />);
});

const isAskedAgain = () => queryClient.getQueryState(key)?.isInvalidated;

test('a friend request names its sender, with a link to answer', async () => {
  await act(() => takeFriendNews(self, { what: 'asked', nickname: '서준' }));
  expect(screen.getByText('서준님이 친구 요청을 보냈어요.')).toBeTruthy();
  expect(isAskedAgain()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '보기' }));
  expect(window.location.pathname).toBe('/friends');
});

test('a change without news is loaded and not announced', async () => {
  await act(() => takeFriendNews(self, null));
  expect(isAskedAgain()).toBe(true);
  expect(screen.getByRole('status').textContent).toBe('');
});

test.each([
  ['asked', true, '지우님에게 친구 요청을 보냈어요.'],
  ['asked', false, '지우님에게 이미 친구 요청을 보냈어요.'],
  ['friends', true, '지우님과 친구가 됐어요.'],
  ['friends', false, '지우님과 이미 친구예요.'],
])(
  'a neighbour is asked, and what came of it is said: %s, new: %s',
  async (standing, isNew, text) => {
    const path = '/api/study-rooms/7/friend-requests';
    const { sent } = startFakeApi({ [path]: { standing, isNew } });
    await act(() => askToBeFriends(RoomId.parse(7), { userId: UserId.parse(3), name: '지우' }));
    expect(screen.getByText(text)).toBeTruthy();
    expect(sent).toEqual([{ path, body: { toUserId: 3 } }]);
  },
);
