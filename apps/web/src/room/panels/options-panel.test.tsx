import { RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { useSaveData } from '../../features/media/save-data.ts';
import { changeOwnClock } from '../../shared/today/today.ts';
import { RoomKeys } from '../keys/room-keys.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { useRoomView } from '../live/room-view.ts';
import { OptionsPanel } from './options-panel.tsx';
import type { Panels } from './panels.tsx';

beforeEach(() => useRoomView.setState(useRoomView.getInitialState()));

const tiles = [1, 2, 3, 4].map((id) => ({
  userId: UserId.parse(id),
  view: id === 2 ? 'hidden' : 'picture',
}));
const live = { store: createStore(() => ({ tiles })) } as unknown as Pick<RoomLive, 'store'>;

const withOpen = (open: Panels['open']) => ({ open, toggle: vi.fn() });

/** Mocks the browser's full screen; the returned function ends it as Escape does. */
function mockFullScreen() {
  let element: Element | null = null;
  const become = (next: Element | null) => {
    element = next;
    act(() => void document.dispatchEvent(new Event('fullscreenchange')));
  };
  Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => element });
  Object.assign(document, { fullscreenEnabled: true, exitFullscreen: async () => become(null) });
  const request = vi.fn(async () => become(document.documentElement));
  Object.assign(document.documentElement, { requestFullscreen: request });
  return { request, isFull: () => element !== null, end: () => become(null) };
}

async function open() {
  await act(async () =>
    render(
      <>
        <RoomKeys live={live} panels={withOpen('options')} />
        <OptionsPanel onClose={vi.fn()} />
      </>,
    ),
  );
  await screen.findByRole('button', { name: '전체 화면' });
}

test('blur, sound and full screen are at hand, and the others are folded', async () => {
  await open();
  const panel = screen.getByRole('region', { name: '화면·소리' });
  expect(within(panel).getByRole('checkbox', { name: /배경 소리/u })).toBeTruthy();
  const folded = screen.getByText('더 보기').closest('details');
  expect(folded?.open).toBe(false);
  const names = within(folded as HTMLElement).getAllByRole('checkbox', { hidden: true });
  expect(names).toHaveLength(2);
  expect(panel.querySelector('kbd')).toBeNull();
});

test('the panel says why data is being saved, and nothing while it is not', async () => {
  useSaveData.setState(useSaveData.getInitialState());
  await open();
  expect(screen.queryByText(/^배터리가/u)).toBeNull();
  act(() => useSaveData.setState({ need: 'battery' }));
  expect(screen.getByText(/^배터리가 얼마 남지 않아/u).role).toBe('status');
});

test('the own picture is mirrored, and nods are shown, by choice, kept in this browser', async () => {
  await open();
  const mirror = screen.getByLabelText(/거울처럼/u);
  expect(mirror).toHaveProperty('checked', true);
  fireEvent.click(mirror);
  fireEvent.click(screen.getByLabelText(/인사 받기/u));
  useRoomView.setState({ enlarged: UserId.parse(7) });
  expect(JSON.parse(localStorage.getItem('mogakgong.room-view') ?? '').state).toEqual({
    isSelfViewHidden: false,
    isMirrored: false,
    showsNods: false,
  });
});

test('V alone hides the own picture here and shows it again, kept in this browser', async () => {
  await open();
  expect(screen.queryByLabelText(/내 화면 숨기기/u)).toBeNull();
  fireEvent.keyDown(document.body, { code: 'KeyV' });
  expect(useRoomView.getState().isSelfViewHidden).toBe(true);
  const stored = JSON.parse(localStorage.getItem('mogakgong.room-view') ?? '').state;
  expect(stored).toMatchObject({ isSelfViewHidden: true });
  fireEvent.keyDown(document.body, { code: 'KeyV' });
  expect(useRoomView.getState().isSelfViewHidden).toBe(false);
});

/** As the shortcuts work while no panel is open. */
async function useKeysAlone() {
  await act(async () => render(<RoomKeys live={live} panels={withOpen(null)} />));
}

test('arrows enlarge the neighbour of the large tile, skipping hidden ones; Escape reduces it', async () => {
  await useKeysAlone();
  fireEvent.keyDown(document.body, { key: 'ArrowRight' });
  expect(useRoomView.getState().enlarged).toBeNull();
  useRoomView.setState({ enlarged: UserId.parse(1) });
  const seen = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'].map((key) => {
    fireEvent.keyDown(document.body, { key });
    return useRoomView.getState().enlarged;
  });
  expect(seen).toEqual([3, 4, 1, 4]);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(useRoomView.getState().enlarged).toBeNull();
});

const isOn = () => document.documentElement.hasAttribute('data-full-screen');
const pressF = () => act(async () => void fireEvent.keyDown(document.body, { code: 'KeyF' }));

test('F shows today and the own status alone on the whole screen; Escape, F or a panel that opens ends it', async () => {
  const userId = UserId.parse(1);
  changeOwnClock(userId, { kind: 'seated', roomId: RoomId.parse(3), presses: [] });
  const clock = { status: 'pause', focusMs: 60_000, awayMs: 0, sinceMs: 0 } as const;
  changeOwnClock(userId, { kind: 'present', clock });
  const browser = mockFullScreen();
  const { rerender } = await act(async () =>
    render(<RoomKeys live={live} panels={withOpen(null)} />),
  );
  useRoomView.setState({ enlarged: UserId.parse(1) });
  await pressF();
  expect([isOn(), browser.isFull()]).toEqual([true, true]);
  expect(document.querySelector('.full-screen-clock')?.textContent).toMatch(
    /^오늘\d\d:\d\d:\d\d휴식 \d+:\d\d:\d\d$/u,
  );
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }));
  expect([isOn(), browser.isFull()]).toEqual([false, false]);
  expect(useRoomView.getState().enlarged).toBe(1);

  await pressF();
  // The browser takes Escape for itself.
  browser.end();
  expect(isOn()).toBe(false);

  await pressF();
  fireEvent.click(screen.getByRole('button', { name: /전체 화면 끝내기/u }));
  expect([isOn(), browser.isFull()]).toEqual([false, false]);

  await pressF();
  await act(async () => rerender(<RoomKeys live={live} panels={withOpen('board')} />));
  expect([isOn(), browser.isFull()]).toEqual([false, false]);
});

test('a browser without full screen, or one that refuses, shows the large clock in the window', async () => {
  const browser = mockFullScreen();
  Object.assign(document, { fullscreenEnabled: false });
  await useKeysAlone();
  await pressF();
  expect(isOn()).toBe(true);
  expect(browser.request).not.toHaveBeenCalled();
  await pressF();
  Object.assign(document, { fullscreenEnabled: true });
  browser.request.mockRejectedValueOnce(new TypeError('refused'));
  await pressF();
  expect([isOn(), browser.isFull()]).toEqual([true, false]);
  await pressF();
  expect(isOn()).toBe(false);
});

test('two fast presses leave no full screen behind', async () => {
  const browser = mockFullScreen();
  const begun = Promise.withResolvers<void>();
  const request = browser.request.getMockImplementation();
  browser.request.mockImplementationOnce(async () => {
    await begun.promise;
    await request?.();
  });
  await useKeysAlone();
  await pressF();
  await pressF();
  await act(async () => begun.resolve());
  await vi.waitFor(() => expect([isOn(), browser.isFull()]).toEqual([false, false]));
  expect(browser.request).toHaveBeenCalledOnce();
});

test('the page is marked as idle until the learner moves', async () => {
  vi.useFakeTimers();
  await useKeysAlone();
  const isIdle = () => document.documentElement.hasAttribute('data-idle');
  expect(isIdle()).toBe(false);
  vi.advanceTimersByTime(5_000);
  expect(isIdle()).toBe(true);
  fireEvent.pointerMove(document.body);
  expect(isIdle()).toBe(false);
});
