import { expect, test } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

test.each([
  [0, 5_000],
  [1, 10_000],
  [2, 20_000],
  [3, 30_000],
  [40, 30_000],
])('try %d waits %d ms, half of it less or more', (attempt, ms) => {
  expect(reconnectDelayMs(attempt, () => 0.5)).toBe(ms);
  expect(reconnectDelayMs(attempt, () => 0)).toBe(ms / 2);
  expect(reconnectDelayMs(attempt, () => 1)).toBe(ms * 1.5);
});
