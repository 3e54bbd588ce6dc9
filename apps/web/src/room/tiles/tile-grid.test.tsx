import { applyPresenceChange, type Member, stillClock, UserId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import type { RoomLiveState } from '../live/room-live.ts';
import { useRoomView } from '../live/room-view.ts';
import { TileGrid } from './tile-grid.tsx';
import { type TileSources, tilesOf } from './tiles.ts';

/** The user ids of rendered tiles, in the order of rendering. */
const rendered = vi.hoisted((): number[] => []);
vi.mock('./tile-plates.tsx', async (importOriginal) => {
  const original = await importOriginal<typeof import('./tile-plates.tsx')>();
  const TilePlates: typeof original.TilePlates = (props) => {
    rendered.push(props.tile.userId);
    return original.TilePlates(props);
  };
  return { ...original, TilePlates };
});
beforeEach(() => void rendered.splice(0));

const SELF = UserId.parse(1);
const members: readonly Member[] = Array.from({ length: 20 }, (_, index) => ({
  userId: UserId.parse(index + 1),
  nickname: `이름 ${index + 1}`,
  profileImage: 'default.jpg',
  title: null,
  connection: 'here',
  clock: stillClock('idle', 0),
}));
const sources: TileSources = {
  selfId: SELF,
  selfName: '',
  camera: { kind: 'off' },
  media: { participants: [], state: { kind: 'connected' } },
  members,
  isLive: true,
  hidden: new Set(),
  blocked: new Set(),
};

function renderGrid() {
  const store = createStore<RoomLiveState>(
    () =>
      ({
        ...sources,
        media: { ...sources.media, state: { kind: 'connected' }, isPlaybackBlocked: false },
        tiles: tilesOf([], sources),
      }) as RoomLiveState,
  );
  const live = { userId: SELF, store, setHidden: vi.fn() };
  render(<TileGrid live={live} aloneHint={null} />);
  return store;
}

test('a learner who was enlarged and left is not enlarged when they come back', async () => {
  const store = renderGrid();
  const seat = (seated: readonly Member[]) =>
    act(() =>
      store.setState({
        members: seated,
        tiles: tilesOf(store.getState().tiles, { ...sources, members: seated }),
      }),
    );
  act(() => useRoomView.setState({ enlarged: UserId.parse(7) }));
  expect(screen.getByTestId('participant-grid').dataset.enlarged).toBe('');
  seat(members.filter(({ userId }) => userId !== 7));
  await vi.waitFor(() => expect(useRoomView.getState().enlarged).toBeNull());
  seat(members);
  expect(screen.getAllByRole('listitem')).toHaveLength(20);
  expect(screen.getByTestId('participant-grid').dataset.enlarged).toBeUndefined();
});

test('a blocked learner has no tile, and the others move together', async () => {
  const store = renderGrid();
  const blocked = new Set([UserId.parse(7)]);
  act(() => store.setState({ tiles: tilesOf(store.getState().tiles, { ...sources, blocked }) }));
  await vi.waitFor(() => {
    const ids = screen.getAllByRole('listitem').map((tile) => tile.dataset.participantIdentity);
    expect([ids.length, ids.includes('7')]).toEqual([19, false]);
  });
});

test('one presence change renders one tile of 20 again', () => {
  const store = renderGrid();
  expect(new Set(rendered).size).toBe(20);
  rendered.splice(0);

  const clock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: 0 } as const;
  act(() => {
    const { tiles } = store.getState();
    const changed = applyPresenceChange(members, {
      type: 'clock',
      userId: UserId.parse(7),
      clock,
    });
    store.setState({
      members: changed,
      tiles: tilesOf(tiles, { ...sources, members: changed }),
    });
  });
  expect(rendered).toEqual([7]);
  expect(screen.getAllByRole('listitem')[6]?.dataset.focus).toBe('focus');
});
