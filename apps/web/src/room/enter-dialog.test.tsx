import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../testing/log-in.ts';
import { camera } from '../features/media/index.ts';
import { EnterDialog } from './enter-dialog.tsx';
import { closeRoom, loadRoomCode } from './room-actions.ts';

const track = Object.assign(new EventTarget(), { stop: vi.fn(), kind: 'video' });
/** Calls of the API in their order, and how a test answers the slow ones. */
const called: string[] = [];
let answers: ((answer: Response) => void)[] = [];

const seatIn = (roomId: number) => answers.shift()?.(Response.json({ roomId }));

function Way() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        열기
      </button>
      {isOpen && <EnterDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

const pressEnter = async () => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: '입장하기' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  fireEvent.click(button);
};
const pressCancel = () => fireEvent.click(screen.getByRole('button', { name: '취소' }));

beforeAll(async () => void (await loadRoomCode()));
beforeEach(() => {
  window.history.replaceState(null, '', '/main');
  called.length = 0;
  answers = [];
  const mediaDevices = { getUserMedia: async () => ({ getVideoTracks: () => [track] }) };
  Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
  vi.stubGlobal('fetch', (address: string) => {
    const path = new URL(address, 'http://localhost').pathname;
    if (path.startsWith('/api/study-rooms')) called.push(path);
    else return new Promise(() => undefined);
    if (path.endsWith('/leave')) return Promise.resolve(Response.json({ left: true }));
    return new Promise<Response>((resolve) => answers.push(resolve));
  });
  logIn();
});
afterEach(() => {
  closeRoom();
  vi.unstubAllGlobals();
});

test('a seat opens the room, with the camera still on', async () => {
  render(<Way />);
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  seatIn(3);
  await waitFor(() => expect(window.location.pathname).toBe('/studyroom/3'));
  expect(camera.store.getState().kind).toBe('on');
  expect(called).toEqual(['/api/study-rooms/enter']);
});

test.each([
  ['the cancel button', pressCancel],
  [
    'Escape',
    () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true })),
  ],
])('after %s a late seat is given up: no room opens, the camera is off', async (_way, cancel) => {
  render(<Way />);
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  cancel();
  expect(camera.store.getState().kind).toBe('off');
  seatIn(3);
  await waitFor(() => expect(called).toEqual(['/api/study-rooms/enter', '/api/study-rooms/leave']));
  expect(window.location.pathname).toBe('/main');
  expect(camera.store.getState().kind).toBe('off');
});

test('who cancels and enters again keeps the seat', async () => {
  render(<Way />);
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  pressCancel();
  fireEvent.click(screen.getByRole('button', { name: '열기' }));
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(2));
  seatIn(3);
  seatIn(3);
  await waitFor(() => expect(window.location.pathname).toBe('/studyroom/3'));
  expect(called).toEqual(['/api/study-rooms/enter', '/api/study-rooms/enter']);
});
