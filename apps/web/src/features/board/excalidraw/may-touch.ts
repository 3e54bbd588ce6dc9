import { getCommonBounds } from '@excalidraw/excalidraw';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';

/**
 * Whether a pointer can be on an element: in its bounds, with a margin for its stroke. Excalidraw asks before it
 * makes the shape of the element and compares all of its points (build/excalidraw.ts).
 * @param threshold how near the pointer has to be, in pixels of the board, as `x` and `y`.
 */
export function mayTouch(
  element: ExcalidrawElement,
  x: number,
  y: number,
  threshold: number,
): boolean {
  // Its name stands above it.
  if (element.type === 'frame') return true;
  const [left, top, right, bottom] = getCommonBounds([element]);
  const margin = threshold + element.strokeWidth;
  return x >= left - margin && x <= right + margin && y >= top - margin && y <= bottom + margin;
}
