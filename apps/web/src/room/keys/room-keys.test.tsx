import { UserId } from '@mogakgong/contract';
import { act, fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import type { RoomLiveState } from '../live/room-live.ts';
import { useRoomView } from '../live/room-view.ts';
import type { Panels } from '../panels/panels.tsx';
import type { Tile } from '../tiles/tiles.ts';
import { RoomKeys } from './room-keys.tsx';

/** Tiles 1 to 4; the third is hidden. */
const tiles = [1, 2, 3, 4].map(
  (id) => ({ userId: UserId.parse(id), view: id === 3 ? 'hidden' : 'picture' }) as Tile,
);
const panels = { open: null, toggle: vi.fn() } as unknown as Panels;

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
