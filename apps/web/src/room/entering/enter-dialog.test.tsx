import { errors, RoomId } from '@mogakgong/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { camera } from '../../features/media/camera.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import { closeRoom, loadRoomCode } from '../live/room-actions.ts';
import { EnterDialog } from './enter-dialog.tsx';

const track = Object.assign(new EventTarget(), { stop: vi.fn(), getSettings: () => ({}) });
/** Calls of the API, in order, and how a test answers the slow ones. */
const called: string[] = [];
let answers: ((answer: Response) => void)[] = [];
const liveliness = { learners: 24, rooms: 3, fullest: { learners: 15, capacity: 20 } };

const seatIn = (roomId: number) => answers.shift()?.(Response.json({ roomId }));

const roomFour = RoomId.parse(4);

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
    if (path.endsWith('/liveliness')) return Promise.resolve(Response.json(liveliness));
    if (path.startsWith('/api/study-rooms')) called.push(path);
    else return new Promise(() => undefined);
    if (path.endsWith('/leave')) return Promise.resolve(Response.json({ left: true }));
    return new Promise<Response>((resolve) => answers.push(resolve));
  });
  logIn();
});
afterEach(() => closeRoom());

test('the first focus is on the one button, below the number of learners and the fill of the room', async () => {
  await act(async () => void render(<EnterDialog onClose={() => undefined} />));
  const button = await screen.findByRole('button', { name: '입장하기' });
  await vi.waitFor(() => expect(document.activeElement).toBe(button));
  expect(await screen.findByText('방 3곳에서 24명이 공부하고 있어요')).toBeTruthy();
  expect(screen.getByText('곧 앉을 방: 15명')).toBeTruthy();
});

test('a named room says how full it is itself', async () => {
  const fill = { learners: 19, capacity: 20 };
  render(<EnterDialog roomId={roomFour} fill={fill} onClose={() => undefined} />);
  expect(await screen.findByText('이 방의 자리 19/20')).toBeTruthy();
  expect(screen.queryByText('방 3곳에서 24명이 공부하고 있어요')).toBeNull();
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

test('a failed entry is explained by the server, else by its own text (specification §8)', async () => {
  render(<Way />);
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  answers.shift()?.(Response.json({ message: '자리가 없어요.' }, { status: 409 }));
  expect(await screen.findByText('자리가 없어요.')).toBeTruthy();
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  answers.shift()?.(new Response('', { status: 418 }));
  expect(await screen.findByText('스터디룸에 입장하지 못했어요.')).toBeTruthy();
});

test.each(['tooManyRequests', 'unavailable'] as const)(
  'an entry that answers %s says so, keeps the camera on, and takes the seat at the next press',
  async (name) => {
    const { ko } = errors[name];
    render(<Way />);
    await pressEnter();
    await waitFor(() => expect(answers).toHaveLength(1));
    answers.shift()?.(refusal(name));
    expect(await screen.findByText(ko)).toBeTruthy();
    expect(camera.store.getState().kind).toBe('on');
    await pressEnter();
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(screen.queryByText(ko)).toBeNull();
    seatIn(3);
    await waitFor(() => expect(window.location.pathname).toBe('/studyroom/3'));
    expect(camera.store.getState().kind).toBe('on');
  },
);

test('from the address of a room one press on Back leads to the previous page', async () => {
  window.history.pushState(null, '', '/studyroom/4');
  const { length } = window.history;
  render(<EnterDialog roomId={roomFour} onClose={() => undefined} />);
  await pressEnter();
  await waitFor(() => expect(answers).toHaveLength(1));
  seatIn(4);
  await waitFor(() => expect(useCurrentRoom.getState().seat?.roomId).toBe(4));
  expect([window.location.pathname, window.history.length]).toEqual(['/studyroom/4', length]);
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

test('cancelling and entering again keeps the seat', async () => {
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

test('without a camera the check says that it may be off after entering', async () => {
  const refuse = async () => {
    throw new DOMException('', 'NotFoundError');
  };
  Object.defineProperty(navigator, 'mediaDevices', {
    value: { getUserMedia: refuse, enumerateDevices: async () => [] },
    configurable: true,
  });
  await act(async () => void render(<EnterDialog onClose={() => undefined} />));
  expect(await screen.findByText(/들어온 뒤에는 꺼도/u)).toBeTruthy();
});
