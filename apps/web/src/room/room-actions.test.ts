import { UserId } from '@mogakgong/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { logIn } from '../../testing/log-in.ts';
import { closeRoom, enterRoom } from './room-actions.ts';

const download = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('./room-live.ts', async (load) => {
  await download.promise;
  return load();
});

afterEach(() => {
  closeRoom();
  vi.unstubAllGlobals();
});

test('who cancels while the code of the room is downloaded has no camera and no seat', async () => {
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
  // The seat is taken: the download is what is waited for.
  await new Promise((resolve) => setTimeout(resolve));
  cancelled.abort();
  download.resolve();
  expect(await entering).toBeNull();
  expect(getUserMedia).not.toHaveBeenCalled();
  expect(called).toEqual(['/api/study-rooms/enter', '/api/study-rooms/leave']);
});
