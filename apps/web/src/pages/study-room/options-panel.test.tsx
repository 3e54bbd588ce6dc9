import { UserId } from '@mogakgong/contract';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { useSaveData } from '../../features/media/save-data.ts';
import { useRoomView } from '../../features/rooms/room-view.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { OptionsPanel } from './options-panel.tsx';
import type { Panels } from './panels.tsx';
import { RoomKeys } from './room-keys.tsx';

beforeEach(() => useRoomView.setState(useRoomView.getInitialState()));
afterEach(() => vi.unstubAllGlobals());

const tiles = [1, 2, 3, 4].map((id) => ({
  userId: UserId.parse(id),
  view: id === 2 ? 'hidden' : 'picture',
}));
const live = { store: createStore(() => ({ tiles })) } as unknown as Pick<RoomLive, 'store'>;

const withOpen = (open: Panels['open']) => ({ open, toggle: vi.fn() });

async function open(canFillScreen = true) {
  Object.assign(document, { fullscreenEnabled: canFillScreen });
  const requestFullscreen = vi.fn(async () => undefined);
  Object.assign(document.documentElement, { requestFullscreen });
  await act(async () =>
    render(
      <>
        <RoomKeys live={live} panels={withOpen('options')} />
        <OptionsPanel onClose={vi.fn()} />
      </>,
    ),
  );
  await screen.findByRole('region', { name: '화면' });
  return requestFullscreen;
}

test('data is saved by choice or automatically, and the panel says why', async () => {
  useSaveData.setState(useSaveData.getInitialState());
  await open();
  const status = () =>
    within(screen.getByRole('region', { name: '데이터와 배터리' })).getByRole('status').textContent;
  expect(status()).toBe('지금은 절약하지 않고 있어요.');
  act(() => useSaveData.setState({ need: 'battery' }));
  expect(status()).toMatch(/^배터리가 얼마 남지 않아/u);
  fireEvent.click(screen.getByRole('checkbox', { name: /자동으로 절약/u }));
  expect(status()).toBe('지금은 절약하지 않고 있어요.');
  fireEvent.click(screen.getByRole('checkbox', { name: /데이터 절약/u }));
  expect(status()).toBe('데이터를 절약하고 있어요.');
  expect(JSON.parse(localStorage.getItem('mogakgong.save-data') ?? '').state).toEqual({
    choice: true,
    isAutomatic: false,
  });
});

test('the own picture is hidden and mirrored, and nods are shown, by choice, kept in this browser', async () => {
  await open();
  const hide = screen.getByRole('checkbox', { name: /내 화면 숨기기/u });
  const mirror = screen.getByRole('checkbox', { name: /거울처럼/u });
  expect(hide).toHaveProperty('checked', false);
  expect(mirror).toHaveProperty('checked', true);
  fireEvent.click(hide);
  fireEvent.click(mirror);
  fireEvent.click(screen.getByRole('checkbox', { name: /인사 받기/u }));
  useRoomView.setState({ enlarged: UserId.parse(7), isFocusMode: true });
  expect(JSON.parse(localStorage.getItem('mogakgong.room-view') ?? '').state).toEqual({
    isSelfViewHidden: true,
    isMirrored: false,
    showsNods: false,
  });
});

test('V hides the own picture and shows it again; F asks for full screen', async () => {
  const requestFullscreen = await open();
  fireEvent.keyDown(document.body, { code: 'KeyV' });
  expect(useRoomView.getState().isSelfViewHidden).toBe(true);
  fireEvent.keyDown(document.body, { code: 'KeyV' });
  expect(useRoomView.getState().isSelfViewHidden).toBe(false);
  fireEvent.keyDown(document.body, { code: 'KeyF' });
  expect(requestFullscreen).toHaveBeenCalledOnce();
});

test('a browser without full screen says so and is not asked for it', async () => {
  const requestFullscreen = await open(false);
  expect(screen.getByText('이 브라우저에서는 전체 화면을 쓸 수 없어요.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '전체 화면' })).toBeNull();
  fireEvent.keyDown(document.body, { code: 'KeyF' });
  expect(requestFullscreen).not.toHaveBeenCalled();
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

test('Z starts the focus mode; Escape, Z or a panel that opens ends it, and the large tile stays', async () => {
  const { rerender } = await act(async () =>
    render(<RoomKeys live={live} panels={withOpen(null)} />),
  );
  const isOn = () => document.documentElement.hasAttribute('data-focus-mode');
  const pressZ = () => act(async () => void fireEvent.keyDown(document.body, { code: 'KeyZ' }));
  useRoomView.setState({ enlarged: UserId.parse(1) });
  await pressZ();
  expect(isOn()).toBe(true);
  expect(screen.getByRole('button', { name: /몰입 끝내기/u })).toBeTruthy();
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }));
  expect(isOn()).toBe(false);
  expect(useRoomView.getState().enlarged).toBe(1);
  await pressZ();
  await act(async () => rerender(<RoomKeys live={live} panels={withOpen('board')} />));
  expect(isOn()).toBe(false);
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
  vi.useRealTimers();
});
