import { RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { stubSilentNetwork } from '../../../testing/silent-network.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import { closeRoom, resumeRoom } from '../live/room-actions.ts';
import { Entering } from './room-message.tsx';

const download = vi.hoisted(() => ({ isRefused: true }));
vi.mock('../live/room-live.ts', async (load) => {
  if (download.isRefused) throw new Error('no code');
  return load();
});
afterEach(() => closeRoom());

test('a room that cannot be opened after a reload says so at once, and opens by a press', async () => {
  const userId = UserId.parse(1);
  stubSilentNetwork();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  logIn();
  const seat = { userId, roomId: RoomId.parse(3), isCameraOn: false };
  useCurrentRoom.setState({ seat, live: null });
  render(<Entering />);
  await screen.findByRole('heading', { name: '스터디룸에 입장하는 중' });
  await act(() => resumeRoom(userId, '김모각'));
  screen.getByRole('heading', { name: '스터디룸에 입장하지 못했어요.' });
  screen.getByRole('button', { name: '나가기' });
  screen.getByRole('button', { name: '새로고침' });

  download.isRefused = false;
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  screen.getByRole('heading', { name: '스터디룸에 입장하는 중' });
  await vi.waitFor(() => expect(useCurrentRoom.getState().live?.roomId).toBe(3));
});
