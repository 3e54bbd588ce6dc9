import { expect, test } from 'vitest';
import { enlargedLayout, gridLayout, tileGapPx } from './grid-layout.ts';

test.each([
  [360, 2],
  [479, 2],
  [480, 2],
  [719, 2],
  [720, 4],
  [1199, 4],
  [1200, 5],
  [3840, 5],
])('a full room %d px wide has %d columns (specification §2)', (widthPx, columns) => {
  expect(gridLayout(widthPx, 500, 20).columns).toBe(columns);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
  [5, 2],
  [9, 4],
  [12, 4],
  [20, 5],
])('%d learners on a desktop sit large, in %d columns', (tileCount, columns) => {
  expect(gridLayout(1240, 700, tileCount).columns).toBe(columns);
});

test('a phone in landscape shows many in four columns, and few as large as they fit', () => {
  expect(gridLayout(624, 340, 20)).toEqual({ columns: 4, tileWidthPx: 150 });
  expect(gridLayout(624, 340, 9)).toEqual({ columns: 4, tileWidthPx: 150 });
  expect(gridLayout(624, 340, 4).columns).toBe(2);
  // Narrower, four faces in a row would be too small.
  expect(gridLayout(560, 340, 20).columns).toBe(2);
});

test('tiles stay within the window where they fit into it', () => {
  for (let tileCount = 1; tileCount <= 20; tileCount += 1) {
    const { columns, tileWidthPx } = gridLayout(1240, 700, tileCount);
    const rows = Math.ceil(tileCount / columns);
    expect(columns * tileWidthPx + (columns - 1) * tileGapPx(tileCount)).toBeLessThanOrEqual(
      1240.01,
    );
    expect((rows * tileWidthPx * 9) / 16 + (rows - 1) * tileGapPx(tileCount)).toBeLessThanOrEqual(
      700.01,
    );
  }
});

test('a phone shows many in two columns and scrolls instead of showing tiny tiles', () => {
  expect(gridLayout(336, 560, 20)).toEqual({ columns: 2, tileWidthPx: 164 });
  expect(gridLayout(336, 560, 2)).toEqual({ columns: 1, tileWidthPx: 336 });
  // Even where one column would show them all, and larger.
  expect(gridLayout(336, 620, 5).columns).toBe(2);
  expect(gridLayout(280, 560, 20).columns).toBe(1);
});

test.each([
  ['320×640', 296, 504],
  ['360×740', 336, 604],
  ['390×844', 366, 708],
])('two to four faces on a phone of %s stand in one column, all seen', (_, widthPx, heightPx) => {
  for (const tileCount of [2, 3, 4]) {
    const { columns, tileWidthPx } = gridLayout(widthPx, heightPx, tileCount);
    expect(columns).toBe(1);
    expect(tileWidthPx).toBeGreaterThan(widthPx * 0.7);
    const highPx = (tileCount * tileWidthPx * 9) / 16 + (tileCount - 1) * tileGapPx(tileCount);
    expect(highPx).toBeLessThanOrEqual(heightPx + 0.01);
  }
});

test('a larger phone never shows smaller faces, however many', () => {
  for (let tileCount = 1; tileCount <= 20; tileCount += 1) {
    const widths = [296, 336, 366, 406].map(
      (widthPx) => gridLayout(widthPx, 504, tileCount).tileWidthPx,
    );
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  }
});

test('tiles that do not fit below each other use two columns', () => {
  expect(gridLayout(296, 344, 4)).toEqual({ columns: 2, tileWidthPx: 142 });
  expect(gridLayout(336, 344, 3)).toMatchObject({ columns: 1 });
  expect(gridLayout(336, 280, 3)).toEqual({ columns: 2, tileWidthPx: 162 });
});

test.each([
  ['a desktop', 1264, 584, 20],
  ['a wide screen', 1904, 944, 12],
  ['a tablet', 744, 620, 5],
  ['two people', 1256, 576, 2],
])(
  'an enlarged tile has most of %s, the others fit beside it',
  (_name, widthPx, heightPx, tileCount) => {
    const { strip, largeWidthPx, columns, tileWidthPx } = enlargedLayout(
      widthPx,
      heightPx,
      tileCount,
    );
    const gapPx = tileGapPx(tileCount);
    const rows = Math.ceil((tileCount - 1) / columns);
    expect(strip).toBe('beside');
    expect(largeWidthPx).toBeGreaterThan(widthPx / 2);
    expect((largeWidthPx * 9) / 16).toBeLessThanOrEqual(heightPx);
    expect(largeWidthPx + columns * (tileWidthPx + gapPx)).toBeLessThanOrEqual(widthPx + 0.01);
    expect((rows * tileWidthPx * 9) / 16 + (rows - 1) * gapPx).toBeLessThanOrEqual(heightPx + 0.01);
  },
);

test('on a phone the enlarged tile is as wide as the window, and the others are below', () => {
  expect(enlargedLayout(344, 560, 12)).toMatchObject({
    strip: 'below',
    largeWidthPx: 344,
    columns: 3,
  });
});

test('somebody alone can be enlarged, too', () => {
  expect(enlargedLayout(1256, 576, 1)).toMatchObject({ columns: 0, largeWidthPx: 1024 });
});
