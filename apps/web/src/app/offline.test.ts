import { UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../testing/log-in.ts';
import { logOut, startSession } from '../features/auth/session.ts';
import { useSaveData } from '../features/media/save-data.ts';
import { figuresKey } from '../features/statistics/use-statistics.ts';
import { ApiError, storeAccessToken } from '../shared/api/index.ts';
import { queryClient } from '../shared/api/query.ts';
import { keptOfflineKeys } from '../shared/lib/storage-keys.ts';
import { keepFiles, keepLastState } from './offline.ts';

const unreachable = new ApiError('no network', { status: 0 });
const tomorrowMs = Date.now() + 86_400_000;
const today = { focusMs: 60_000, dayEndsAtMs: tomorrowMs };

let stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  storeAccessToken('t');
  logIn();
  stops = [startSession(), keepLastState()];
});
afterEach(() => {
  for (const stop of stops) stop();
  localStorage.clear();
  useSaveData.setState({ mode: 'automatic' });
});

const TOTALS = [...figuresKey(UserId.parse(1)), 'totals'];
const ask = (queryKey: readonly unknown[], answer: () => Promise<unknown>) =>
  queryClient.fetchQuery({ queryKey, queryFn: answer, staleTime: 0 }).catch(() => undefined);

/** The page is closed and opened again: nothing is known but what was kept. */
async function reload(): Promise<void> {
  await vi.advanceTimersByTimeAsync(2_000);
  stops.pop()?.();
  queryClient.clear();
  stops.push(keepLastState());
}

test('the last answers about the day stand in where the server cannot be reached', async () => {
  await ask(['today', 1], async () => today);
  await ask(TOTALS, async () => ({ days: 3 }));
  await reload();
  await ask(['today', 1], () => Promise.reject(unreachable));
  await ask(TOTALS, () => Promise.reject(unreachable));
  expect(queryClient.getQueryData(['today', 1])).toEqual(today);
  expect(queryClient.getQueryData(TOTALS)).toEqual({ days: 3 });
});

test('an answer of the server always counts: a refusal, and a newer state', async () => {
  await ask(['today', 1], async () => today);
  await reload();
  const refused = new ApiError('not allowed', { status: 403 });
  await ask(['today', 1], () => Promise.reject(refused));
  expect(queryClient.getQueryData(['today', 1])).toBeUndefined();
  await ask(['today', 1], async () => ({ ...today, focusMs: 90_000 }));
  expect(queryClient.getQueryData(['today', 1])).toMatchObject({ focusMs: 90_000 });
});

test('nothing of an ended day, of another learner, or beyond the own day is shown', async () => {
  await ask(['today', 1], async () => ({ ...today, dayEndsAtMs: Date.now() - 1 }));
  await ask(['goal', 1, '2026-11-21'], async () => ({ tasks: [] }));
  await ask(['learner', 1, 'friends'], async () => ({ friends: ['Kim'] }));
  await reload();
  expect(localStorage.getItem(keptOfflineKeys.lastState)).not.toContain('Kim');
  for (const key of [
    ['today', 1],
    ['goal', 2, '2026-11-21'],
    ['learner', 1, 'friends'],
  ]) {
    await ask(key, () => Promise.reject(unreachable));
    expect(queryClient.getQueryData(key)).toBeUndefined();
  }
});

test('a log-out removes it, also what would be written later', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}));
  await ask(['today', 1], async () => today);
  await vi.advanceTimersByTimeAsync(2_000);
  sessionStorage.setItem(keptOfflineKeys.goal, '{}');
  expect(localStorage.getItem(keptOfflineKeys.lastState)).toContain('60000');
  await ask(['today', 1], async () => ({ ...today, focusMs: 61_000 }));
  logOut();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(localStorage.getItem(keptOfflineKeys.lastState)).toBeNull();
  expect(sessionStorage.getItem(keptOfflineKeys.goal)).toBeNull();
});

test('the files are kept when the page has had its time, and not while data is saved', async () => {
  const postMessage = vi.fn();
  const ready = Promise.resolve({ active: { postMessage } });
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: { ready } } }));
  const wait = () => vi.advanceTimersByTimeAsync(20_000);
  useSaveData.setState({ mode: 'always' });
  stops.push(keepFiles());
  await wait();
  expect(postMessage).not.toHaveBeenCalled();
  useSaveData.setState({ mode: 'automatic' });
  stops.push(keepFiles());
  expect(postMessage).not.toHaveBeenCalled();
  await wait();
  expect(postMessage).toHaveBeenCalledExactlyOnceWith('keep');
});
