import '../../../../testing/canvas.ts';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import { expect, it } from 'vitest';
import { Painted, paintable } from './painted-pixels.ts';

const far = { scale: 1, left: 1e5, top: 1e5, width: 800, height: 600 };
const screen = { scale: 1, left: 0, top: 0, width: 800, height: 600 };

let ids = 0;
const element = (changed: object = {}) =>
  ({
    type: 'rectangle',
    id: String(ids++),
    isDeleted: false,
    x: 0,
    y: 0,
    angle: 0,
    seed: 1,
    version: 1,
    roughness: 0,
    roundness: null,
    backgroundColor: 'transparent',
    strokeStyle: 'solid',
    strokeWidth: 2,
    width: 200,
    height: 100,
    ...changed,
  }) as ExcalidrawElement;
const idsOf = (elements: readonly ExcalidrawElement[]) =>
  new Map(elements.map((each) => [each.id, each]));
/** The elements of a board that are drawn while all are in view, with so many pixels of the screen in one of the board. */
function drawable(elements: readonly ExcalidrawElement[], scale = 1) {
  const scene = new Painted().fit(elements, { ...screen, scale });
  const present = scene.filter(({ isDeleted }) => !isDeleted);
  return paintable(present, idsOf(present), scale);
}
const many = (count: number, changed?: object) =>
  Array.from({ length: count }, () => element(changed));
const arrow = (length: number, changed: object = {}) =>
  element({
    type: 'arrow',
    points: [
      [0, 0],
      [length, 0],
    ],
    ...changed,
  });

const zigzag = (count: number) =>
  Array.from({ length: count }, (_, index) => [index, index % 2 === 0 ? 0 : 1_500]);

it.each([
  ['a full board of boxes', many(2_000)],
  ['forty shapes as large as a screen', many(40, { width: 1_920, height: 1_080 })],
  ['long arrows without a label', Array.from({ length: 50 }, () => arrow(15_000))],
  [
    'a hundred dashed boxes and arrows',
    [
      ...many(50, { strokeStyle: 'dashed' }),
      ...Array.from({ length: 50 }, () => arrow(600, { strokeStyle: 'dotted' })),
    ],
  ],
  [
    'handwriting: 600 strokes of 200 points',
    many(600, {
      type: 'freedraw',
      points: Array.from({ length: 200 }, (_, index) => [index, index % 3]),
    }),
  ],
  [
    'a board beside deleted elements of any size',
    [...many(10), ...many(500, { isDeleted: true, width: 50_000, height: 50_000 })],
  ],
])('%s is drawn whole', (_, elements) => {
  expect(drawable(elements)).toEqual(elements.filter(({ isDeleted }) => !isDeleted));
});

it.each([
  ['rectangles', many(100, { width: 5_000, height: 5_000 })],
  ['short thick strokes', many(100, { type: 'freedraw', strokeWidth: 100, points: [[0, 0]] })],
  ['letters', many(20, { type: 'text', fontSize: 10_000 })],
  ['labelled arrows', [arrow(15_000, { boundElements: [{ id: 'a', type: 'text' }] })]],
  [
    'dotted lines to and fro',
    many(40, { type: 'line', strokeStyle: 'dotted', strokeWidth: 0.5, points: zigzag(240) }),
  ],
  [
    'lines to and fro',
    many(8, { type: 'line', points: zigzag(1_240), roughness: 2, roundness: { type: 2 } }),
  ],
  [
    'filled lines to and fro',
    many(8, { type: 'line', points: zigzag(1_240), backgroundColor: '#ffc9c9' }),
  ],
  [
    'strokes of a pen of many points in a small place, and one far away',
    many(145, {
      type: 'freedraw',
      points: [[400, 0], ...zigzag(2_150).map(([x = 0, y = 0]) => [x % 10, y % 9])],
      // As its sender states it.
      width: 50_000,
      height: 50_000,
    }),
  ],
  [
    'strokes of a pen to and fro',
    many(145, { type: 'freedraw', points: zigzag(1_400), width: 1_400, height: 1_500 }),
  ],
  [
    'lines that state no size',
    many(20, {
      type: 'line',
      points: [
        [0, 0],
        [9e3, 9e3],
      ],
      width: 0,
      height: 0,
    }),
  ],
])('of hostile %s as many are drawn as fit, and all others', (_, hostile) => {
  const others = many(100);
  const drawn = drawable([...hostile, ...others]);
  expect(drawn).toEqual(expect.arrayContaining(others));
  expect(drawn.length).toBeLessThan(Math.min(hostile.length, 25) + others.length);
});

it('counts the pixels of the screen, not of CSS', () => {
  const shapes = many(30, { width: 1_920, height: 1_080 });
  expect(drawable(shapes)).toHaveLength(30);
  expect(drawable(shapes, 2).length).toBeLessThan(30);
});

it('counts an element as large as it is zoomed', () => {
  const piled = many(900, { width: 280, height: 280 });
  expect(drawable(piled)).toEqual(piled);
  expect(drawable(piled, 3).length).toBeLessThan(110);
});

it('keeps those in the scene that are too large to be drawn', () => {
  const large = many(100, { width: 5_000, height: 5_000 });
  expect(new Painted().fit(large, screen)).toBe(large);
});

it('counts a rotated line as large as its picture, which is not rotated', () => {
  const points = [
    [0, 0],
    [4_000, 4_000],
  ];
  const lines = (angle: number) => many(40, { type: 'line', points, angle });
  expect(drawable(lines(0)).length).toBeLessThan(10);
  expect(drawable(lines(-Math.PI / 4)).length).toBeLessThan(10);
  const squares = many(40, { type: 'diamond', width: 4_000, height: 4_000, angle: Math.PI / 4 });
  expect(drawable(squares).length).toBeLessThan(10);
});

it('leaves out an element that Excalidraw cannot draw, and draws all others', () => {
  const points = [
    [0, 0],
    [40, 60],
    [90, 10],
  ];
  const bad = element({ type: 'line', points, strokeColor: 'none', roundness: { type: 2 } });
  const others = many(3);
  expect(new Painted().fit([bad, ...others], screen)).toEqual(others);
});

it('leaves out lines with the most points, in view or not, and draws all others', () => {
  const hostile = many(145, { type: 'line', points: zigzag(2_150) });
  const others = [...many(500), ...Array.from({ length: 500 }, () => arrow(300))];
  const drawn = new Set(new Painted().fit([...hostile, ...others], far));
  expect(others.filter((element) => !drawn.has(element))).toEqual([]);
  expect(drawn.size).toBeLessThan(others.length + 5);
});

it('leaves out dashes and ways of a pen out of view, which a saved picture has, too', () => {
  const dotted = { type: 'line', strokeStyle: 'dotted', strokeWidth: 0.5, points: zigzag(240) };
  const pen = { type: 'freedraw', points: zigzag(1_400) };
  const others = many(100);
  for (const hostile of [many(40, dotted), many(145, pen)]) {
    const drawn = new Painted().fit([...hostile, ...others], far);
    expect(drawn).toEqual(expect.arrayContaining(others));
    expect(drawn.length).toBeLessThan(others.length + 15);
  }
});

it('gives up the pictures out of view when all that are kept take too much, but for edited ones', () => {
  const painted = new Painted();
  const [here, there] = [
    many(60, { width: 1_000, height: 1_000 }),
    many(60, { width: 1_000, height: 1_000, x: 5_000 }),
  ];
  const board = [...here, ...there];
  const view = { ...screen, width: 1_000, height: 1_000 };
  const edited = here.slice(0, 1).map(({ id }) => id);
  expect(painted.fit(board, view, edited)).toBe(board);
  const moved = painted.fit(board, { ...view, left: 5_000 }, edited);
  expect(moved).toEqual(board);
  expect(moved.map((each) => board.includes(each))).toEqual([
    true,
    ...new Array(59).fill(false),
    ...new Array(60).fill(true),
  ]);
  expect(painted.fit(moved, { ...view, left: 5_000 }, edited)).toBe(moved);
});

it('counts what a box names as its text, wherever that is', () => {
  const large = { x: 1e5, width: 5_000, height: 5_000 };
  for (const bound of [many(60, { type: 'text', fontSize: 20, ...large }), many(60, large)]) {
    const boxes = bound.map(({ id }) => element({ boundElements: [{ id, type: 'text' }] }));
    expect(paintable(boxes, idsOf(boxes), 1)).toBe(boxes);
    expect(paintable(boxes, idsOf([...boxes, ...bound]), 1).length).toBeLessThan(10);
  }
});
