import { RoomId, UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { stubSilentNetwork } from '../../../testing/silent-network.ts';
import { logOut, startSession, useSession } from '../../features/auth/session.ts';
import { camera } from '../../features/media/camera.ts';
import { readAccessToken, storeAccessToken } from '../../shared/api/index.ts';
import { useCurrentRoom } from './current-room.ts';
import { closeRoom, enterRoom, leaveRoom, resumeRoom, turnCamera } from './room-actions.ts';

const LEARNER = { userId: UserId.parse(1), name: '김모각' };
const signal = () => new AbortController().signal;
const track = Object.assign(new EventTarget(), { stop: vi.fn(), getSettings: () => ({}) });

/** Calls of the API, in order. */
let called: { path: string; authorization: string | null; keepalive: boolean }[];
/** The API's answers, by the end of the path; none for other paths. */
let answers: Record<string, () => Response>;
let stopSession = () => {};

const paths = () => called.map(({ path }) => path);
const storedSeat = () => JSON.parse(sessionStorage.getItem('mogakgong.seat') ?? 'null');

beforeEach(() => {
  called = [];
  answers = {
    enter: () => Response.json({ roomId: 3 }),
    leave: () => Response.json({ left: true }),
  };
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    const { pathname: path } = new URL(address, 'http://localhost');
    const authorization = new Headers(init.headers).get('authorization');
    called.push({ path, authorization, keepalive: init.keepalive === true });
    const answer = answers[path.split('/').at(-1) ?? ''];
    return answer ? Promise.resolve(answer()) : new Promise(() => undefined);
  });
  const mediaDevices = { getUserMedia: async () => ({ getVideoTracks: () => [track] }) };
  Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
  storeAccessToken('t');
  logIn();
  stopSession = startSession();
});
afterEach(() => {
  closeRoom();
  stopSession();
});

test('a seat opens its room once, however often the learner enters', async () => {
  expect(await enterRoom(LEARNER, signal())).toBe(3);
  const { live } = useCurrentRoom.getState();
  expect(live).toMatchObject({ userId: 1, roomId: 3 });
  expect(storedSeat()).toMatchObject({ roomId: 3, isCameraOn: true });
  await enterRoom(LEARNER, signal());
  expect(useCurrentRoom.getState().live).toBe(live);
});

test('media access that comes with the seat is used, and requested where it is missing', async () => {
  await enterRoom(LEARNER, signal());
  expect(paths()).toContain('/api/livekit/token');
  closeRoom();
  called = [];
  const media = { token: 't', serverUrl: '/livekit' };
  answers.enter = () => Response.json({ roomId: 3, media });
  await enterRoom(LEARNER, signal());
  await vi.waitFor(() =>
    expect(useCurrentRoom.getState().live?.store.getState().media.state.kind).not.toBe('entering'),
  );
  expect(paths()).toEqual(['/api/study-rooms/enter']);
});

test('cancelling while the room connects leaves no seat and no camera', async () => {
  const aborter = new AbortController();
  answers.enter = () => Response.json({ roomId: 3, media: { token: 't', serverUrl: '/livekit' } });
  stubSilentNetwork();
  const entering = enterRoom(LEARNER, aborter.signal);
  await vi.waitFor(() => expect(camera.store.getState().kind).toBe('on'));
  expect(useCurrentRoom.getState().live).toBeNull();
  aborter.abort();
  expect(await entering).toBeNull();
  expect(camera.store.getState().kind).toBe('off');
  expect(useCurrentRoom.getState()).toMatchObject({ live: null, seat: null });
  expect(paths()).toEqual(['/api/study-rooms/enter', '/api/study-rooms/leave']);
});

test('leaving ends camera and room at once and tells the API; the next entry waits for that', async () => {
  await enterRoom(LEARNER, signal());
  await vi.waitFor(() => expect(camera.store.getState().kind).toBe('on'));
  const onLeft = vi.fn();
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (address: string) => {
    called.push({ path: address, authorization: null, keepalive: true });
    return address.includes('leave') ? response : Promise.resolve(Response.json({ roomId: 4 }));
  });
  const leaving = leaveRoom(onLeft);
  expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live: null, leavingRoomId: 3 });
  expect(camera.store.getState().kind).toBe('off');
  expect(storedSeat()).toBeNull();
  const entering = enterRoom(LEARNER, signal());
  expect(useCurrentRoom.getState().live).toBeNull();
  resolve(Response.json({ left: true }));
  await leaving;
  expect(onLeft).toHaveBeenCalledOnce();
  expect(await entering).toBe(4);
});

test('a log-out gives up the seat first, while requests still carry the token', async () => {
  await enterRoom(LEARNER, signal());
  called = [];
  logOut();
  expect(readAccessToken()).toBeNull();
  expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live: null });
  expect(called).toEqual([
    { path: '/api/study-rooms/leave', authorization: 'Bearer t', keepalive: true },
    { path: '/api/auth/logout', authorization: 'Bearer t', keepalive: true },
  ]);
});

test('a log-out in another tab ends the room and sends no request', async () => {
  await enterRoom(LEARNER, signal());
  called = [];
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live: null });
  expect(paths()).toEqual([]);
});

test('a seat that another tab took over is not taken back by a reload, only by the learner', async () => {
  await enterRoom(LEARNER, signal());
  const { live } = useCurrentRoom.getState();
  const taken = { key: 'mogakgong.room-tab', newValue: 'another tab' };
  window.dispatchEvent(Object.assign(new Event('storage'), taken));
  expect(live?.isSeated).toBe(false);
  expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live });
  expect(storedSeat()).toBeNull();
  live?.enter();
  expect(storedSeat()).toMatchObject({ roomId: 3 });
});

/** The state that a freshly loaded page finds. */
function reload(isCameraOn: boolean) {
  const seat = { userId: LEARNER.userId, roomId: RoomId.parse(3), isCameraOn };
  useCurrentRoom.setState({ seat, live: null });
}

test('a reload resumes the room of the seat, with the camera as it was', async () => {
  reload(false);
  await resumeRoom(LEARNER.userId, LEARNER.name);
  expect(useCurrentRoom.getState().live?.roomId).toBe(3);
  expect(camera.store.getState().kind).toBe('off');
  expect(paths()).toEqual(['/api/livekit/token']);
  turnCamera(true);
  await vi.waitFor(() => expect(camera.store.getState().kind).toBe('on'));
  expect(storedSeat()).toMatchObject({ isCameraOn: true });
});

test('a seat that is gone after a reload is not taken again unasked', async () => {
  answers.token = () => refusal('notSeated');
  reload(true);
  await resumeRoom(LEARNER.userId, LEARNER.name);
  await vi.waitFor(() =>
    expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live: null }),
  );
  expect(paths()).toEqual(['/api/livekit/token']);
  expect(camera.store.getState().kind).toBe('off');
});

test('the seat of another learner is not resumed', async () => {
  reload(true);
  await resumeRoom(UserId.parse(2), '이모각');
  expect(useCurrentRoom.getState()).toMatchObject({ seat: null, live: null });
  expect(paths()).toEqual([]);
});
