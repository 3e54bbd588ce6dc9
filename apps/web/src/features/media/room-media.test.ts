import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubSilentNetwork } from '../../../testing/silent-network.ts';
import { Camera } from './camera.ts';
import { RoomMedia, type SeatAccess } from './room-media.ts';

// Each try finds the code there.
await import('./media-connection.ts');

const getAccess = vi.fn<SeatAccess['getAccess']>();
let media: RoomMedia;

beforeEach(() => {
  vi.useFakeTimers();
  // The first delay is 0.3 s.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  getAccess.mockReset().mockRejectedValue(new TypeError('no network'));
  media = new RoomMedia({ getAccess, refusal: () => null }, new Camera());
  media.start();
});
afterEach(() => media.close());

const showTab = () => document.dispatchEvent(new Event('visibilitychange'));

test('a tab that is shown again does not wait for the next try', async () => {
  await vi.advanceTimersByTimeAsync(0);
  expect(media.store.getState().state).toMatchObject({ kind: 'waiting', attempt: 0 });
  showTab();
  expect(getAccess).toHaveBeenCalledTimes(2);
});

test('a running try continues when the tab is shown again', async () => {
  await vi.advanceTimersByTimeAsync(0);
  getAccess.mockReturnValue(new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(500);
  expect(getAccess).toHaveBeenCalledTimes(2);
  showTab();
  expect(getAccess).toHaveBeenCalledTimes(2);
});

test('no try follows the end', async () => {
  await vi.advanceTimersByTimeAsync(0);
  media.close();
  showTab();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getAccess).toHaveBeenCalledOnce();
});

test('leaving a room while it connects leaves no connection open, however often', async () => {
  await vi.advanceTimersByTimeAsync(0);
  media.close();
  const openConnections = stubSilentNetwork();
  getAccess.mockReset().mockResolvedValue({ token: 't', serverUrl: '/livekit' });
  for (const _ of [1, 2]) {
    media = new RoomMedia({ getAccess, refusal: () => null }, new Camera());
    media.start();
    await vi.advanceTimersByTimeAsync(10);
    expect(openConnections()).toBe(1);
    media.close();
    await vi.advanceTimersByTimeAsync(10);
    expect(openConnections()).toBe(0);
  }
});

test.each([
  { token: '', serverUrl: '/livekit' },
  { token: 't', serverUrl: '' },
])('an answer of %j says that no server url is provided (specification §5, §8)', async (access) => {
  media.close();
  getAccess.mockReset().mockResolvedValue(access);
  media = new RoomMedia({ getAccess, refusal: () => null }, new Camera());
  media.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(media.store.getState().state).toMatchObject({
    kind: 'refused',
    refusal: { message: '영상 서버 주소를 받지 못했어요.' },
  });
});

test('a first try without progress times out after 4 s, the next ones later', async () => {
  await vi.advanceTimersByTimeAsync(0);
  stubSilentNetwork();
  media.close();
  getAccess.mockReset().mockResolvedValue({ token: 't', serverUrl: '/livekit' });
  media = new RoomMedia({ getAccess, refusal: () => null }, new Camera());
  media.start();
  const { store } = media;
  await vi.advanceTimersByTimeAsync(3_900);
  expect(store.getState().state).toEqual({ kind: 'connecting' });
  await vi.advanceTimersByTimeAsync(200);
  expect(store.getState().state).toMatchObject({ kind: 'waiting', attempt: 0 });
  await vi.advanceTimersByTimeAsync(500 + 7_000);
  expect(store.getState().state).toMatchObject({ kind: 'waiting', attempt: 0 });
  await vi.advanceTimersByTimeAsync(1_100);
  expect(store.getState().state).toMatchObject({ kind: 'waiting', attempt: 1 });
});
