import { expect, test, vi } from 'vitest';
import { paced } from './paced.ts';

test('what is asked for again and again is done at once, then once a pause, and not after the end', () => {
  vi.useFakeTimers();
  const work = vi.fn();
  const { run, stop } = paced(work, 10_000);
  for (let second = 0; second < 25; second += 1) {
    for (let time = 0; time < 10; time += 1) run();
    vi.advanceTimersByTime(1_000);
  }
  expect(work).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(60_000);
  expect(work).toHaveBeenCalledTimes(4);
  run();
  run();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(work).toHaveBeenCalledTimes(5);
});
