import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderHook } from '../../../testing/render.tsx';
import { ApiError } from './api-error.ts';
import { queryClient } from './query.ts';
import { useLoaded } from './use-loaded.ts';

const EVERY_MS = 60_000;
const EVERY_MINUTE = {
  staleTime: EVERY_MS,
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: true,
} as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => queryClient.clear());

const later = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** Renders the loaded value; each request takes the next answer. */
function show(answers: readonly (string | Error)[]) {
  const load = vi.fn(async () => {
    const answer =
      answers[load.mock.calls.length - 1] ?? new Error('nobody expected this question');
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const { result, rerender } = renderHook(
    ({ key }) => useLoaded<string>([key], () => load(), EVERY_MINUTE),
    { initialProps: { key: 'a' } },
  );
  return { load, result, rerender };
}

test('is loaded again at intervals, and at once when a hidden page is shown again', async () => {
  const { load, result } = show(['one', 'two', 'three']);
  expect(result.current).toMatchObject({ value: null, isLoading: true });
  await later(0);
  expect(result.current).toMatchObject({ value: 'one', isLoading: false });
  await later(EVERY_MS);
  expect(result.current.value).toBe('two');

  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await later(3 * EVERY_MS);
  expect(load).toHaveBeenCalledTimes(2);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await later(0);
  expect(result.current.value).toBe('three');
});

test('no reload is skipped when the timer is early on the wall clock, or the wall clock is set back', async () => {
  const { load } = show(['one', 'two', 'three']);
  await later(0);
  vi.setSystemTime(Date.now() - 3);
  await later(EVERY_MS);
  expect(load).toHaveBeenCalledTimes(2);
  vi.setSystemTime(Date.now() - 3_600_000);
  await later(EVERY_MS);
  expect(load).toHaveBeenCalledTimes(3);
});

test('a failure has a reason; a failure after an answer keeps the answer', async () => {
  const down = new ApiError('지금은 안 됩니다.', { status: 503 });
  const { result } = show([down, 'one', down]);
  await later(0);
  expect(result.current).toMatchObject({ value: null, error: '지금은 안 됩니다.' });
  act(() => result.current.reload());
  await later(0);
  expect(result.current).toMatchObject({ value: 'one', error: null });
  await later(EVERY_MS);
  expect(result.current).toMatchObject({ value: 'one', error: null });
});

test('another query drops the previous answer', async () => {
  const { result, rerender } = show(['one', 'two']);
  await later(0);
  rerender({ key: 'b' });
  expect(result.current.value).toBeNull();
  await later(0);
  expect(result.current.value).toBe('two');
  act(() => void queryClient.setQueryData(['b'], 'mine'));
  await later(0);
  expect(result.current.value).toBe('mine');
});
