import { type FocusClock, MINUTE_MS, RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { changeOwnClock } from '../../shared/today/today.ts';
import type { RoomLiveState } from '../live/room-live.ts';
import { useRoomView } from '../live/room-view.ts';
import type { Panels } from '../panels/panels.tsx';
import type { Tile } from '../tiles/tiles.ts';
import { RoomKeys } from './room-keys.tsx';

/** Tiles 1 to 4; the third is hidden. */
const tiles = [1, 2, 3, 4].map(
  (id) => ({ userId: UserId.parse(id), view: id === 3 ? 'hidden' : 'picture' }) as Tile,
);
const SELF = UserId.parse(1);
const NOW_MS = Date.UTC(2026, 10, 21, 3);
const schedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs: NOW_MS };
const panels = { open: null, toggle: vi.fn() } as unknown as Panels;

test.each([
  [{ schedule }, '휴식 0:04:00 남음'],
  [{}, '휴식 0:01:00'],
])('full screen says of a break with %j: %s', async (more, text) => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 26 * MINUTE_MS });
  onTestFinished(() => {
    useRoomView.setState({ isFullScreen: false });
    act(() => changeOwnClock(SELF, { kind: 'closed' }));
  });
  const sinceMs = NOW_MS + 25 * MINUTE_MS;
  const rested = { status: 'pause', focusMs: 25 * MINUTE_MS, awayMs: 0, sinceMs } as const;
  const clock: FocusClock = { ...rested, isScheduledBreak: 'schedule' in more, ...more };
  changeOwnClock(SELF, { kind: 'seated', roomId: RoomId.parse(3), presses: [] });
  changeOwnClock(SELF, { kind: 'present', clock });
  useRoomView.setState({ isFullScreen: true });
  const store = createStore<RoomLiveState>(
    () => ({ tiles, selfId: SELF }) as unknown as RoomLiveState,
  );
  await act(async () => render(<RoomKeys live={{ store }} panels={panels} />));
  const line = (await screen.findByText('오늘')).parentElement?.lastElementChild;
  const parts = [...(line?.childNodes ?? [])].map(({ textContent }) => textContent?.trim());
  expect(parts.filter(Boolean).join(' ')).toBe(text);
});

test.each([
  { enlarged: 1, key: 'ArrowRight', next: 2 },
  { enlarged: 2, key: 'ArrowRight', next: 4 },
  { enlarged: 4, key: 'ArrowRight', next: 1 },
  { enlarged: 4, key: 'ArrowLeft', next: 2 },
  { enlarged: 1, key: 'ArrowLeft', next: 4 },
  // It was hidden while it was enlarged.
  { enlarged: 3, key: 'ArrowRight', next: 4 },
  { enlarged: 3, key: 'ArrowLeft', next: 2 },
])('$key enlarges $next after $enlarged', async ({ enlarged, key, next }) => {
  const store = createStore<RoomLiveState>(() => ({ tiles }) as unknown as RoomLiveState);
  await act(async () => render(<RoomKeys live={{ store }} panels={panels} />));
  // The shortcuts work once the texts are loaded.
  await vi.waitFor(() => {
    act(() => useRoomView.setState({ enlarged: UserId.parse(enlarged) }));
    fireEvent.keyDown(document.body, { key });
    expect(useRoomView.getState().enlarged).toBe(next);
  });
});
