import { UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import type { RoomLive, RoomLiveState } from '../live/room-live.ts';
import { tilesOf } from '../tiles/tiles.ts';
import { PeoplePanel } from './people-panel.tsx';

function liveWith(state: Partial<RoomLiveState>): Pick<RoomLive, 'userId' | 'store'> {
  return {
    userId: UserId.parse(1),
    store: createStore(
      () => ({ tiles: [], members: null, blocked: new Set(), ...state }) as RoomLiveState,
    ),
  };
}

function open(state: Partial<RoomLiveState> = {}) {
  const onClose = vi.fn();
  render(<PeoplePanel live={liveWith(state)} panels={{ close: onClose, toggle: vi.fn() }} />);
  return onClose;
}

test('the list of people takes the focus', async () => {
  await act(async () => void open());
  expect(document.activeElement).toBe(screen.getByRole('region', { name: '함께 있는 사람' }));
});

test('a press beside it closes it', () => {
  const onClose = open();
  fireEvent.click(screen.getByTestId('panel-scrim'));
  expect(onClose).toHaveBeenCalledOnce();
});

const member = {
  profileImage: 'default.jpg',
  title: null,
  connection: 'here',
  clock: { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: 0 },
} as const;

test('a learner who has lost the connection is listed without a running clock, a blocked one is not', async () => {
  const members = [
    { ...member, userId: UserId.parse(2), nickname: '이모각', connection: 'lost' as const },
    { ...member, userId: UserId.parse(3), nickname: '박모각', connection: 'lost' as const },
  ];
  await act(async () => void open({ members, blocked: new Set([UserId.parse(3)]) }));
  expect(await screen.findByText('연결이 끊긴 사람: 이모각')).toBeDefined();
  expect(screen.queryByText(/집중/u)).toBeNull();
});

test('a blocked learner is listed without name, status and clock', () => {
  const members = [
    { ...member, userId: UserId.parse(2), nickname: '이모각' },
    { ...member, userId: UserId.parse(3), nickname: '박모각' },
  ];
  const tiles = tilesOf([], {
    selfId: UserId.parse(1),
    selfName: '나',
    camera: { kind: 'off' },
    media: { participants: [], state: { kind: 'connected' } },
    members,
    isLive: true,
    hidden: new Set(),
    blocked: new Set([UserId.parse(2)]),
  });
  open({ tiles: tiles.slice(1) });
  const [blocked, other] = screen.getAllByRole('listitem');
  expect(blocked?.textContent).toContain('차단한 사람');
  expect(blocked?.textContent).not.toContain('이모각');
  expect(blocked?.textContent).not.toContain('집중');
  expect(other?.textContent).toContain('집중');
});
