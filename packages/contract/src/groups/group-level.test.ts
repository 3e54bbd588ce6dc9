import { expect, it } from 'vitest';
import { HOUR_MS } from '../durations.ts';
import { groupLevel } from './groups.ts';

it.each([
  [0, 1, 0, 10],
  [10, 2, 10, 40],
  [45, 3, 40, 90],
  [90, 4, 90, 160],
  [1_000, 11, 1_000, 1_210],
])(
  '%d hours of all members together are level %d, from %d to %d hours',
  (hours, level, from, to) => {
    expect(groupLevel(hours * HOUR_MS)).toEqual({
      level,
      fromMs: from * HOUR_MS,
      nextFromMs: to * HOUR_MS,
    });
  },
);

it('a level begins at its millisecond, over all levels that a group can reach', () => {
  for (let level = 1; level < 1_000; level += 1) {
    const { fromMs, nextFromMs } = groupLevel(10 * HOUR_MS * (level - 1) ** 2);
    expect(groupLevel(fromMs).level).toBe(level);
    expect(groupLevel(nextFromMs - 1).level).toBe(level);
    expect(groupLevel(nextFromMs).level).toBe(level + 1);
  }
});
