import { type FocusClock, type Member, RoomId, UserId } from '@mogakgong/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { changeOwnClock } from '../../shared/today/today.ts';
import { useRoomView } from '../live/room-view.ts';
import { RoomTile } from './room-tile.tsx';
import type { GridTile } from './tiles.ts';

const tile: GridTile = {
  userId: UserId.parse(7),
  name: '김모각',
  isSelf: false,
  view: 'cameraOff',
  picture: null,
  member: null,
  clock: null,
};

beforeEach(() => useRoomView.setState(useRoomView.getInitialState()));

function show(change: Partial<GridTile>) {
  const onHide = vi.fn();
  render(
    <ul>
      <RoomTile selfId={UserId.parse(1)} tile={{ ...tile, ...change }} onHide={onHide} />
    </ul>,
  );
  return onHide;
}

test.each([
  ['starting', '카메라를 켜는 중'],
  ['cameraOff', '카메라가 꺼져 있음'],
  ['connectionLost', '연결이 끊김'],
  ['paused', '카메라가 잠시 멈췄어요 (화면 잠금 등)'],
  ['connecting', '영상을 연결하는 중'],
] as const)('a tile without a picture says why: %s', (view, text) => {
  show({ view });
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('listitem').dataset.participantIdentity).toBe('7');
});

test('a tile can be hidden, says so, and comes back (specification §2)', () => {
  const onHide = show({});
  fireEvent.click(screen.getByRole('button', { name: '김모각님의 화면 숨기기' }));
  expect(onHide).toHaveBeenLastCalledWith(7, true);

  const onShow = show({ view: 'hidden', name: '이모각' });
  expect(screen.getByText('이모각님의 화면이 현재 숨겨져 있어요')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '다시 보기' }));
  expect(onShow).toHaveBeenLastCalledWith(7, false);
});

test('the focus stays in the tile when it is hidden and shown by keyboard', async () => {
  show({ isSelf: true, view: 'picture', picture: { attach: vi.fn(), detach: vi.fn() } });
  const press = (name: string) => {
    const button = screen.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };
  press('내 화면 숨기기');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('다시 보기'));
  press('다시 보기');
  await vi.waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('내 화면 숨기기'),
  );
});

test('the own tile reports an unsent picture until it is sent', () => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  show({ isSelf: true, view: 'picture', picture, isUnseen: true });
  expect(screen.getByRole('status').textContent).toBe('다른 사람에게 안 보여요');
  show({ isSelf: true, view: 'picture', picture, isUnseen: false });
  expect(screen.getAllByRole('status').at(-1)?.textContent).toBe('');
});

test('hiding the own picture says that the others still see it', () => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  const onHide = show({ isSelf: true, view: 'picture', picture });
  fireEvent.click(screen.getByRole('button', { name: '내 화면 숨기기' }));
  expect(onHide).not.toHaveBeenCalled();
  expect(screen.getByText('나에게만 숨겼어요. 다른 사람에게는 보여요.')).toBeTruthy();
  expect(picture.detach).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole('button', { name: '다시 보기' }));
  expect(picture.attach).toHaveBeenCalledTimes(2);
});

test('the own picture is mirrored unless that is switched off', () => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  show({ isSelf: true, view: 'picture', picture });
  const isMirrored = () => document.querySelector('video')?.classList.contains('-scale-x-100');
  expect(isMirrored()).toBe(true);
  act(() => useRoomView.setState({ isMirrored: false }));
  expect(isMirrored()).toBe(false);
});

test('the own tile is marked, and its picture is attached and detached', () => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  const { unmount } = render(
    <RoomTile
      selfId={UserId.parse(1)}
      tile={{ ...tile, isSelf: true, view: 'picture', picture }}
      onHide={vi.fn()}
    />,
  );
  expect(screen.getByText('(나)').parentElement?.textContent).toBe('김모각 (나)');
  const [video] = picture.attach.mock.calls[0] ?? [];
  expect(video).toMatchObject({ muted: true });
  unmount();
  expect(picture.detach).toHaveBeenCalledWith(video);
});

const clock: FocusClock = {
  ...{ status: 'pause', focusMs: 0, awayMs: 0 },
  sinceMs: Math.floor(Date.now() / 1_000) * 1_000 - 3_720_000,
};
const member: Member = {
  userId: UserId.parse(7),
  nickname: '김모각',
  profileImage: 'default.jpg',
  title: null,
  connection: 'here',
  clock,
};

function showTile(change: Partial<GridTile>) {
  render(
    <ul>
      <RoomTile
        selfId={UserId.parse(change.isSelf ? 7 : 1)}
        tile={{ ...tile, member, clock, ...change }}
        onHide={vi.fn()}
      />
    </ul>,
  );
}

test('a tile shows status and clock as shape, colour, word and hours:minutes:seconds', () => {
  showTile({});
  const item = screen.getByRole('listitem');
  expect(item.dataset.focus).toBe('pause');
  expect(item.querySelector('[data-status=pause]')).not.toBeNull();
  expect(screen.getByText('휴식')).toBeTruthy();
  expect(screen.getByRole('timer').textContent).toMatch(/^1:02:\d\d$/u);
});

test('the clock of a learner who has lost the connection stops, and continues with them', () => {
  vi.useFakeTimers();
  const sinceMs = Date.now() - 5_000;
  const running: FocusClock = { ...clock, status: 'focus', sinceMs, focusMs: 0 };
  const place = (view: GridTile['view']) => (
    <RoomTile
      selfId={UserId.parse(1)}
      tile={{ ...tile, view, member, clock: running }}
      onHide={vi.fn()}
    />
  );
  const { rerender } = render(place('connectionLost'));
  const text = () => screen.getByRole('timer').textContent;
  expect(text()).toBe('0:00:05');
  act(() => void vi.advanceTimersByTime(3_000));
  expect(text()).toBe('0:00:05');
  rerender(place('cameraOff'));
  expect(text()).not.toBe('0:00:05');
});

test('with the camera off the tile shows the learner’s picture; status and clock continue', () => {
  showTile({ view: 'cameraOff', member: { ...member, profileImage: '/1.webp' } });
  const item = screen.getByRole('listitem');
  expect(item.querySelector('.tile-reason [data-light]')).toBeNull();
  expect(item.querySelector('.tile-reason img')).not.toBeNull();
  expect(screen.getByRole('timer').textContent).toMatch(/^1:02:\d\d$/u);
});

test('only the own dot is a button, and the own tile shows its press at once (specification §4)', () => {
  showTile({});
  expect(screen.queryByRole('button', { name: /눌러서/u })).toBeNull();
  cleanup();
  const roomId = RoomId.parse(3);
  changeOwnClock(tile.userId, { kind: 'seated', roomId, presses: [] });
  changeOwnClock(tile.userId, { kind: 'present', clock });
  showTile({ isSelf: true });
  const item = screen.getByRole('listitem');
  expect(item.dataset.focus).toBe('pause');
  fireEvent.click(screen.getByRole('button', { name: '휴식 중. 눌러서 다시 집중' }));
  expect(item.dataset.focus).toBe('focus');
  act(() => changeOwnClock(tile.userId, { kind: 'closed' }));
});

test('a tile’s picture is a button that enlarges and reduces it', () => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  const shown = { ...tile, view: 'picture', picture } as const;
  const place = (isEnlarged: boolean) => (
    <RoomTile selfId={UserId.parse(1)} tile={shown} isEnlarged={isEnlarged} onHide={vi.fn()} />
  );
  const { rerender } = render(place(false));
  const button = () => screen.getByRole('button', { name: '김모각님의 화면 키우기' });
  fireEvent.click(button());
  expect(useRoomView.getState().enlarged).toBe(7);
  rerender(place(true));
  expect(button().getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(button());
  expect(useRoomView.getState().enlarged).toBeNull();
  expect(picture.attach).toHaveBeenCalledOnce();
  expect(picture.detach).not.toHaveBeenCalled();
});

test('a hidden tile cannot be enlarged', () => {
  show({ view: 'hidden' });
  expect(screen.queryByRole('button', { name: /화면 키우기/u })).toBeNull();
});

test.each([
  [false, '자리를 비웠어요'],
  [true, '자리를 비운 동안에는 내 화면을 보내지 않아요'],
])('away there is no picture, which the tile says (own: %s)', (isSelf, text) => {
  const picture = { attach: vi.fn(), detach: vi.fn() };
  const away: FocusClock = { ...clock, status: 'away' };
  act(() => {
    changeOwnClock(UserId.parse(7), { kind: 'closed' });
    changeOwnClock(UserId.parse(7), { kind: 'present', clock: away });
  });
  showTile({ isSelf, view: 'picture', picture, clock: away, member: { ...member, clock: away } });
  expect(screen.getByText(text)).toBeTruthy();
  expect(document.querySelector('video')).toBeNull();
  // The camera rule must see the picture to end an absence that it set.
  const byRule = { ...away, isAwayByCamera: true };
  act(() => changeOwnClock(UserId.parse(7), { kind: 'present', clock: byRule }));
  cleanup();
  showTile({ isSelf, view: 'picture', picture, clock: byRule });
  expect(screen.queryByText(text)).toBeNull();
});

test('a subject is on the tile of a learner who shows it', () => {
  showTile({ member: { ...member, subject: '한국사' } });
  expect(screen.getByText('한국사')).toBeTruthy();
});
