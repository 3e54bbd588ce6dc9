import { UserId } from '@mogakgong/contract';
import { act, cleanup, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import type { RoomLiveState } from '../live/room-live.ts';
import type { Tile } from '../tiles/tiles.ts';
import { PresenceAnnouncer } from './presence-announcer.tsx';

const tile = (userId: number) =>
  ({ userId: UserId.parse(userId), name: `이름 ${userId}`, isSelf: userId === 1 }) as Tile;
const seated = (...userIds: number[]) => ({ members: [], tiles: userIds.map(tile) });

/**
 * Renders the announcer; returns a function that changes its room, three seconds before the next announcement
 * by default.
 */
function open(state: Partial<RoomLiveState>) {
  const store = createStore(() => state as RoomLiveState);
  render(<PresenceAnnouncer live={{ store }} />);
  return (change: Partial<RoomLiveState>, afterMs = 3_000) => {
    act(() => store.setState(change));
    act(() => vi.advanceTimersByTime(afterMs));
  };
}
const region = () => screen.getByTestId('presence-announcement');
const said = (text: string) => within(region()).getByText(text, { selector: 'p' });

// The texts are downloaded once, in real time.
beforeAll(async () => {
  await chooseLanguage('ko');
  await act(async () => void open(seated(1)));
  await screen.findByTestId('presence-announcement');
  cleanup();
});
beforeEach(() => void vi.useFakeTimers());

test('arrivals and departures are announced, even the same one again', () => {
  const show = open({ members: null, tiles: [tile(1)] });
  show(seated(1, 2));
  expect(region().textContent).toBe('');
  show(seated(1));
  const left = said('이름 2님이 나갔어요.');
  show(seated(1, 2));
  expect(said('이름 2님이 들어왔어요.')).not.toBe(left);
  show(seated(1));
  expect(said('이름 2님이 나갔어요.')).toBeTruthy();
  // Unknown for a while, and known again: the next sentence may equal the last.
  show({ members: null });
  show(seated(1, 2));
  const again = said('이름 2님이 나갔어요.');
  show(seated(1));
  expect(said('이름 2님이 나갔어요.')).not.toBe(again);
  expect(again.textContent).toBe('');
});

test('others who came and left are named together, without those who did both', () => {
  const show = open(seated(2, 3));
  show(seated(2, 3, 4), 0);
  show({ tiles: [{ ...tile(2), name: 'renamed' }, tile(1), tile(5)] });
  expect(region().textContent).toBe('이름 5님이 들어왔어요. 이름 3님이 나갔어요.');
});

test('a learner without both connections is announced as gone, though the seat is kept', () => {
  const member = { userId: UserId.parse(2), connection: 'lost' } as const;
  const show = open(seated(1, 2));
  show({ members: [member as never], tiles: [tile(1)] });
  expect(region().textContent).toBe('이름 2님이 나갔어요.');
});

test('a blocked person, who has no name, is not announced', () => {
  const blocked = { ...tile(3), name: '' };
  const show = open({ members: [], tiles: [tile(2), blocked] });
  show({ tiles: [tile(2)] });
  expect(region().textContent).toBe('');
  show({ tiles: [tile(2), blocked] });
  expect(region().textContent).toBe('');
  show({ tiles: [] });
  expect(region().textContent).toBe('이름 2님이 나갔어요.');
});
