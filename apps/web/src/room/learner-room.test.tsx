import { type FocusClock, RoomId, UserId } from '@mogakgong/contract';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../testing/log-in.ts';
import { render } from '../../testing/render.tsx';
import { stubSilentNetwork } from '../../testing/silent-network.ts';
import { toggleTimer } from '../features/focus/own-timer.ts';
import { usePageTitle } from '../shared/ui/page-title.ts';
import { LearnerRoom } from './learner-room.tsx';
import { useCurrentRoom } from './live/current-room.ts';
import { closeRoom } from './live/room-actions.ts';

const userId = UserId.parse(1);
const roomId = RoomId.parse(3);

function Page() {
  usePageTitle('통계');
  return <LearnerRoom />;
}

/** A learner in room 3 without a network since the room reported their focus. */
async function showRoom() {
  const sinceMs = Date.now() - 60_000;
  const clock: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs };
  useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: false }, live: null });
  render(<Page />);
  const live = await vi.waitFor(() => {
    const room = useCurrentRoom.getState().live;
    if (room === null) throw new Error('The room is not there yet.');
    return room;
  });
  const person = { userId, nickname: '김모각', profileImage: 'default.jpg', title: null };
  act(() => {
    live.store.setState({ members: [{ ...person, connection: 'here', clock }] });
    live.timer.setPresent(clock);
  });
  await vi.waitFor(() => expect(document.title).toMatch(/^0:01:0\d · 통계/u));
  return live;
}

beforeEach(() => {
  logIn();
  stubSilentNetwork();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
});
afterEach(() => {
  useCurrentRoom.getState().live?.timer.discard();
  closeRoom();
});

test('the title of the tab follows a press at once, also without a network', async () => {
  await showRoom();
  act(toggleTimer);
  await vi.waitFor(() => expect(document.title).toMatch(/^휴식 0:00:0\d · 통계/u));
});

test('the title has no clock of a seat that another tab took over', async () => {
  await showRoom();
  const taken = { key: 'mogakgong.room-tab', newValue: 'another tab' };
  act(() => void window.dispatchEvent(Object.assign(new Event('storage'), taken)));
  await vi.waitFor(() => expect(document.title).toMatch(/^통계/u));
});
