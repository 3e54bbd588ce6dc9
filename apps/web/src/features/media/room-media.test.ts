import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Camera } from './camera.ts';
import { RoomMedia } from './room-media.ts';

const admit = vi.fn<() => Promise<never>>();
let media: RoomMedia;

beforeEach(() => {
  vi.useFakeTimers();
  admit.mockReset().mockRejectedValue(new TypeError('no network'));
  media = new RoomMedia({ admit, refusal: () => null }, new Camera());
  media.start();
});
afterEach(() => {
  media.close();
  vi.useRealTimers();
});

const showTab = () => document.dispatchEvent(new Event('visibilitychange'));

test('a tab that is shown again does not wait for the next try', async () => {
  await vi.advanceTimersByTimeAsync(0);
  expect(media.store.getState().state).toEqual({ kind: 'waiting', attempt: 0 });
  showTab();
  expect(admit).toHaveBeenCalledTimes(2);
});

test('a try that is under way goes on when the tab is shown again', async () => {
  await vi.advanceTimersByTimeAsync(0);
  admit.mockReturnValue(new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(500);
  expect(admit).toHaveBeenCalledTimes(2);
  showTab();
  expect(admit).toHaveBeenCalledTimes(2);
});

test('nothing is tried after the end', async () => {
  await vi.advanceTimersByTimeAsync(0);
  media.close();
  showTab();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(admit).toHaveBeenCalledOnce();
});
