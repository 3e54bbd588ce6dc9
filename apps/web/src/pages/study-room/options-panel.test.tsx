import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSaveData } from '../../features/media/save-data.ts';
import { useRoomView } from '../../features/rooms/room-view.ts';
import { OptionsPanel } from './options-panel.tsx';
import { RoomKeys } from './room-keys.tsx';

beforeEach(() => useRoomView.setState(useRoomView.getInitialState()));
afterEach(() => vi.unstubAllGlobals());

async function open(canFillScreen = true) {
  Object.assign(document, { fullscreenEnabled: canFillScreen });
  const requestFullscreen = vi.fn(async () => undefined);
  Object.assign(document.documentElement, { requestFullscreen });
  await act(async () =>
    render(
      <>
        <RoomKeys />
        <OptionsPanel onClose={vi.fn()} />
      </>,
    ),
  );
  await screen.findByRole('region', { name: '화면' });
  return requestFullscreen;
}

test('data is saved by choice, or by itself, and the panel says why', async () => {
  useSaveData.setState(useSaveData.getInitialState());
  await open();
  const status = () =>
    within(screen.getByRole('region', { name: '데이터와 배터리' })).getByRole('status').textContent;
  expect(status()).toBe('지금은 아끼지 않고 있어요.');
  act(() => useSaveData.setState({ need: 'battery' }));
  expect(status()).toMatch(/^배터리가 얼마 남지 않아/u);
  fireEvent.click(screen.getByRole('checkbox', { name: /자동으로 절약/u }));
  expect(status()).toBe('지금은 아끼지 않고 있어요.');
  fireEvent.click(screen.getByRole('checkbox', { name: /데이터 절약/u }));
  expect(status()).toBe('데이터를 아끼고 있어요.');
  expect(JSON.parse(localStorage.getItem('mogakgong.save-data') ?? '').state).toEqual({
    choice: true,
    isAutomatic: false,
  });
});

test('one’s own picture is hidden and mirrored by choice, kept in this browser', async () => {
  await open();
  const hide = screen.getByRole('checkbox', { name: /내 화면 숨기기/u });
  const mirror = screen.getByRole('checkbox', { name: /거울처럼/u });
  expect(hide).toHaveProperty('checked', false);
  expect(mirror).toHaveProperty('checked', true);
  fireEvent.click(hide);
  fireEvent.click(mirror);
  useRoomView.setState({ enlarged: '7', isFocusMode: true });
  expect(JSON.parse(localStorage.getItem('mogakgong.room-view') ?? '').state).toEqual({
    isSelfViewHidden: true,
    isMirrored: false,
  });
});

test('V hides one’s own picture and shows it again; F asks for full screen', async () => {
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
