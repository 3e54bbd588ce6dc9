import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
