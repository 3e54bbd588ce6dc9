import { expect, test } from 'vitest';
import { gridLayout, TILE_GAP_PX } from './grid-layout.ts';

test.each([
  [360, 1],
  [479, 1],
  [480, 2],
  [879, 2],
  [880, 4],
  [1199, 4],
  [1200, 5],
  [3840, 5],
])('a full room %d px wide has %d columns (specification §2)', (widthPx, columns) => {
  expect(gridLayout(widthPx, 1, 20).columns).toBe(columns);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
])('%d learners on a desktop sit large, in %d columns', (tileCount, columns) => {
  expect(gridLayout(1240, 700, tileCount).columns).toBe(columns);
});

test('tiles never stand out of the window where they fit into it', () => {
  for (let tileCount = 1; tileCount <= 20; tileCount += 1) {
    const { columns, tileWidthPx } = gridLayout(1240, 700, tileCount);
    const rows = Math.ceil(tileCount / columns);
    expect(columns * tileWidthPx + (columns - 1) * TILE_GAP_PX).toBeLessThanOrEqual(1240.01);
    expect((rows * tileWidthPx * 9) / 16 + (rows - 1) * TILE_GAP_PX).toBeLessThanOrEqual(700.01);
  }
});

test('a phone scrolls rather than showing stamps', () => {
  expect(gridLayout(336, 560, 20)).toEqual({ columns: 1, tileWidthPx: 336 });
});
