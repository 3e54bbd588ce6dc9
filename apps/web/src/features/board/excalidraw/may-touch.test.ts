import '../../../../testing/canvas.ts';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import { expect, it } from 'vitest';
import { mayTouch } from './may-touch.ts';

const element = (changed: object) =>
  ({
    ...{ id: 'a', type: 'rectangle', x: 100, y: 100, width: 200, height: 100, angle: 0 },
    ...{ version: 1, strokeWidth: 2, strokeStyle: 'solid', roughness: 0, seed: 1, ...changed },
  }) as ExcalidrawElement;

it.each<[string, object, [number, number], boolean]>([
  ['in it', {}, [200, 150], true],
  ['beside it, as near as its stroke and the threshold', {}, [88, 150], true],
  ['beside it, further away', {}, [87, 150], false],
  ['above it', {}, [200, 80], false],
  ['on a corner of a rotated one', { angle: Math.PI / 2 }, [200, 60], true],
  ['above a frame, where its name is', { type: 'frame' }, [200, 80], true],
  [
    'on the bend of a line that starts elsewhere',
    {
      type: 'line',
      points: [
        [0, 0],
        [-300, -40],
      ],
    },
    [-150, 90],
    true,
  ],
])('a pointer %s', (_, changed, [x, y], expected) => {
  expect(mayTouch(element(changed), x, y, 10)).toBe(expected);
});
