import { HOUR_MS } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import { busySpan } from './busy-hours.tsx';

const from = (...learners: number[]) =>
  learners.map((count, index) => ({ beginsAtMs: index * HOUR_MS, learners: count }));

test.each([
  ['the hours around the busiest one that have nearly as many', [1, 6, 12, 10, 3, 8], [2, 4, 12]],
  ['a busy time that goes on at both ends', [5, 5, 4], [0, 3, 5]],
  ['one hour', [0, 0, 2, 0], [2, 3, 2]],
])('the busy time is %s', (_, counts, [fromHour = 0, toHour = 0, learners]) => {
  expect(busySpan(from(...counts))).toEqual({
    fromMs: fromHour * HOUR_MS,
    toMs: toHour * HOUR_MS,
    learners,
  });
});

test.each([
  ['nobody is known to come', []],
  ['one learner at a time comes', [0, 1, 1, 0]],
])('there is no busy time where %s', (_, counts) => {
  expect(busySpan(from(...counts))).toBeNull();
});
