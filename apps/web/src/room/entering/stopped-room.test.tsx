import { RoomId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import type { RoomLive } from '../live/room-live.ts';
import { RefusedRoom, StoppedRoom } from './stopped-room.tsx';

afterEach(() => queryClient.clear());

test('a learner refused because of a block is led to their block list and to another room', async () => {
  const refusal = { errorName: 'blockedPersonInRoom', message: '이 방에 들어갈 수 없어요.' };
  await act(async () =>
    render(<RefusedRoom roomId={RoomId.parse(3)} refusal={refusal as never} onRetry={vi.fn()} />),
  );
  const link = await screen.findByRole('link', { name: '차단한 사람 보기' });
  expect(link.getAttribute('href')).toBe('/settings/blocked');
  expect(screen.getByRole('button', { name: '다른 방 찾기' })).toBeDefined();
});

const removal = {
  id: 7,
  kind: 'remove',
  rule: null,
  reason: '욕설을 했어요.',
  roomId: 3,
  imposedAtMs: 0,
  endsAtMs: Date.UTC(2100, 0),
  liftedAtMs: null,
  isAcknowledged: true,
  appeal: null,
};

test.each([
  ['a moderator', [removal], '운영자가 나를 이 방에서 내보냈어요', '다른 방 찾기'],
  ['another tab', [], '스터디룸에서 나왔어요', '다시 입장하기'],
  [
    'another tab, after a removal from another room',
    [{ ...removal, roomId: 4 }],
    '스터디룸에서 나왔어요',
    '다시 입장하기',
  ],
])('a learner removed by %s reads so, and where to go', async (_, sanctions, title, way) => {
  logIn();
  startFakeApi({ '/api/sanctions/mine': { sanctions } });
  const live = { roomId: 3, userId: LEARNER.userId, enter: vi.fn() } as unknown as RoomLive;
  await act(async () => render(<StoppedRoom state={{ kind: 'removed' }} live={live} />));
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(await screen.findByRole('button', { name: way })).toBeTruthy();
});
