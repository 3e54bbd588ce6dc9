import { type FocusClock, RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { createStore } from 'zustand/vanilla';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { changeOwnClock } from '../../shared/today/today.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import type { RoomLive } from '../live/room-live.ts';
import { SmallBar } from './small-bar.tsx';

const userId = UserId.parse(1);
const roomId = RoomId.parse(3);
const pausing: FocusClock = { status: 'pause', focusMs: 60_000, awayMs: 0, sinceMs: Date.now() };

afterEach(() => {
  useCurrentRoom.setState({ seat: null, live: null, left: null, leavingRoomId: null });
});

function Page({ live }: { readonly live: RoomLive }) {
  const isSeated = useCurrentRoom((room) => room.live !== null);
  return (
    <Suspense>
      {isSeated && <SmallBar live={live} />}
      <main>
        <h1>통계</h1>
      </main>
    </Suspense>
  );
}

/** The bar of a learner in room 3, above another page. */
async function show(path = '/statistics', more: object = {}) {
  const live = {
    userId,
    roomId,
    store: createStore(() => ({
      media: { state: { kind: 'connected' }, arePicturesFlowing: true },
      camera: { kind: 'on', isPaused: false },
      isServerLost: false,
      about: null,
      ...more,
    })),
    leave: () => null,
    close: vi.fn(),
  } as unknown as RoomLive;
  changeOwnClock(userId, { kind: 'seated', roomId, presses: [] });
  changeOwnClock(userId, { kind: 'present', clock: pausing });
  logIn();
  useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: true }, live });
  const location = memoryLocation({ path, record: true });
  await act(async () => {
    render(
      <Router hook={location.hook}>
        <Page live={live} />
      </Router>,
    );
  });
  const bar = within(await screen.findByRole('region'));
  return { live, bar, location };
}

test('the bar shows the learner’s room, status, clock and visibility', async () => {
  const { bar } = await show();
  expect(screen.getByRole('region', { name: '3번 스터디룸' })).toBeTruthy();
  expect(bar.getByText('3번 스터디룸')).toBeTruthy();
  expect(bar.getByText('휴식')).toBeTruthy();
  expect(bar.getByRole('timer').textContent).toMatch(/^0:00:0\d$/u);
  expect(bar.getByText('카메라 켜짐')).toBeTruthy();
  const resume = bar.getByRole('button', { name: '다시 집중' });
  expect(resume.getAttribute('aria-keyshortcuts')).toBeNull();
  fireEvent.click(resume);
  expect(bar.getByText('집중')).toBeTruthy();
});

test('a hosted room has its own name; an unseen learner is told so', async () => {
  const { bar } = await show('/mypage', {
    about: { name: '토익 새벽반' },
    camera: { kind: 'off' },
  });
  expect(bar.getByText('토익 새벽반')).toBeTruthy();
  expect(bar.getByText('카메라 꺼짐')).toBeTruthy();
});

test('/main names the room and leads back itself', async () => {
  const { bar } = await show('/main');
  expect(bar.queryByText('3번 스터디룸')).toBeNull();
  expect(bar.queryByRole('link')).toBeNull();
  expect(bar.getByRole('timer')).toBeTruthy();
});

test('an outage is reported in the words of the room', async () => {
  const { bar } = await show('/main', { isServerLost: true });
  expect(bar.getByText(/^서버와 연결이 끊겼어요/u)).toBeTruthy();
});

test('a seat that another tab has taken over has no clock and no break here', async () => {
  const media = { state: { kind: 'replaced' }, arePicturesFlowing: false };
  const { bar } = await show('/main', { media });
  expect(bar.getByText('다른 곳에서 이 방을 열었어요')).toBeTruthy();
  expect(bar.queryByRole('timer')).toBeNull();
  expect(bar.queryByRole('button', { name: '다시 집중' })).toBeNull();
  expect(bar.getByRole('link', { name: '돌아가기' }).getAttribute('href')).toBe('/studyroom/3');
});

test.each(['/statistics', '/main'])(
  'leaving on %s leads to /main, the focus to its heading',
  async (path) => {
    vi.stubGlobal('fetch', async () => Response.json({ left: true }));
    const { bar, location } = await show(path);
    const leave = bar.getByRole('button', { name: '나가기' });
    leave.focus();
    await act(async () => leave.click());
    expect(screen.queryByRole('region')).toBeNull();
    expect(location.history).toEqual(path === '/main' ? ['/main'] : [path, '/main']);
    expect(document.activeElement).toBe(document.querySelector('h1'));
    await vi.waitFor(() => expect(useCurrentRoom.getState().left).toMatchObject({ userId }));
  },
);
