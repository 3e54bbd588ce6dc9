import '../../../../testing/canvas.ts';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import { expect, it } from 'vitest';
import { pictureScale } from './board-file.ts';

const arrows = (count: number, length: number, boundElements: object | null) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: String(index), type: 'arrow', x: 0, y: 0, angle: 0, seed: 1, version: 1 },
    ...{ strokeStyle: 'solid', strokeWidth: 1, roughness: 0, roundness: null, boundElements },
    points: [
      [0, 0],
      [length, 0],
    ],
  })) as unknown as ExcalidrawElement[];
const label = [{ id: 'a', type: 'text' }];

it('saves a picture for screens of two pixels a point, as far as a canvas reaches', () => {
  expect(pictureScale(arrows(300, 4_000, null))).toBe(2);
  expect(pictureScale(arrows(30, 300, label))).toBe(2);
  expect(pictureScale(arrows(1, 16_000, null))).toBeCloseTo(0.51, 2);
});

it('saves a smaller picture of a board with many long arrows that have labels', () => {
  const scale = pictureScale(arrows(300, 4_000, label));
  expect(300 * (4_400 * scale) ** 2).toBeLessThan(100_000_001);
});
