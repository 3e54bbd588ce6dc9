import { RoomId, UserId } from '@mogakgong/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useCurrentRoom } from './current-room.ts';
import {
  closeRoom,
  enterRoom,
  leaveRoom,
  leaveRoomOrShowError,
  resumeRoom,
} from './room-actions.ts';
import type { RoomLive } from './room-live.ts';

const download = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('./room-live.ts', async (load) => {
  await download.promise;
  return load();
});

afterEach(() => closeRoom());

test('cancelling while the room’s code is downloaded leaves no camera and no seat', async () => {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    called.push(new URL(address, 'http://localhost').pathname);
    return Response.json(address.includes('leave') ? { left: true } : { roomId: 3 });
  });
  const getUserMedia = vi.fn(() => new Promise(() => undefined));
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true });
  logIn();
  const cancelled = new AbortController();
  const entering = enterRoom({ userId: UserId.parse(1), name: '김모각' }, cancelled.signal);
  await vi.waitFor(() => expect(called).toEqual(['/api/study-rooms/enter']));
  // The seat is taken; only the download is pending.
  await new Promise((resolve) => setTimeout(resolve));
  cancelled.abort();
  download.resolve();
  expect(await entering).toBeNull();
  expect(getUserMedia).not.toHaveBeenCalled();
  expect(called).toEqual(['/api/study-rooms/enter', '/api/study-rooms/leave']);
});

const userId = UserId.parse(1);
const roomId = RoomId.parse(3);

const dialogTexts = () => notify.state().dialogs.map(({ text }) => text);

/** A seated learner. Their calls do not arrive until `reach`; returns the arrived calls with their presses. */
function sitOutOfReach() {
  const called: string[] = [];
  let isReached = false;
  vi.stubGlobal('fetch', async (address: string) => {
    if (!isReached) throw new TypeError('no network');
    called.push(new URL(address, 'http://localhost').pathname);
    return Response.json({ left: true });
  });
  logIn();
  const leave = vi.fn(async () => void called.push('presses'));
  const live = { userId, roomId, leave, close: vi.fn() } as unknown as RoomLive;
  useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: true }, live });
  const reach = () => {
    isReached = true;
    called.length = 0;
  };
  return { called, leave, reach };
}

test('leaving without a network completes when it is back, after the presses', async () => {
  const { called, leave, reach } = sitOutOfReach();
  await expect(leaveRoom()).rejects.toMatchObject({ status: 0 });
  reach();
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(called).toEqual(['presses', '/api/study-rooms/leave']));
  window.dispatchEvent(new Event('online'));
  expect(leave).toHaveBeenCalledTimes(2);
});

test('leaving while the server is down completes when it is up again, without a change of the network', async () => {
  const { called, leave, reach } = sitOutOfReach();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await expect(leaveRoom()).rejects.toMatchObject({ status: 0 });
  await vi.advanceTimersByTimeAsync(8_000);
  expect(leave).toHaveBeenCalledTimes(2);
  reach();
  await vi.advanceTimersByTimeAsync(8_000);
  await vi.waitFor(() => expect(called).toEqual(['presses', '/api/study-rooms/leave']));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(leave).toHaveBeenCalledTimes(3);
});

test('leaving that the server refuses is explained by the server, else by its own text (specification §8)', async () => {
  const answers = [
    Response.json({ message: '나갈 수 없어요.' }, { status: 409 }),
    new Response('', { status: 418 }),
  ];
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.includes('/leave')) throw new TypeError('no network');
    return answers.shift();
  });
  logIn();
  const leave = () => {
    useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: false }, live: null });
    leaveRoomOrShowError();
  };
  leave();
  await vi.waitFor(() => expect(dialogTexts()).toEqual(['나갈 수 없어요.']));
  await vi.waitFor(() => expect(useCurrentRoom.getState().leavingRoomId).toBeNull());
  leave();
  await vi.waitFor(() =>
    expect(dialogTexts()).toEqual(['나갈 수 없어요.', '스터디룸에서 나가지 못했어요.']),
  );
});

test('the room of a seat is opened once after a reload, also when it is requested twice', async () => {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    called.push(new URL(address, 'http://localhost').pathname);
    return new Promise(() => undefined);
  });
  logIn();
  download.resolve();
  useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: false }, live: null });
  await Promise.all([resumeRoom(userId, '김모각'), resumeRoom(userId, '김모각')]);
  expect(useCurrentRoom.getState().live?.roomId).toBe(roomId);
  expect(called).toEqual(['/api/livekit/token']);
});

test('a seat elsewhere is not given up for a room that is full meanwhile', async () => {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    called.push(new URL(address, 'http://localhost').pathname);
    return Response.json({ error: 'roomFull' }, { status: 409 });
  });
  logIn();
  useCurrentRoom.setState({ seat: { userId, roomId, isCameraOn: true }, live: null });
  const wanted = { userId, name: '김모각', roomId: RoomId.parse(5), leavesSeat: true };
  const entering = enterRoom(wanted, new AbortController().signal);
  await expect(entering).rejects.toMatchObject({ errorName: 'roomFull' });
  expect(called).toEqual(['/api/study-rooms/5']);
  expect(useCurrentRoom.getState().seat).toMatchObject({ roomId });
});
