import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';

/** Pixels of the screen, at 4 bytes each, that the pictures of all elements may take. */
const PIXELS_MAX = 100_000_000;
/** Excalidraw makes no picture of an element larger than this, except for the label of an arrow. */
const PICTURE_MAX = 16_777_216;
/** Pixels that take as long to paint as one dash or dot of a broken line (decision 119). */
const PIXELS_PER_DASH = 500;

/**
 * The elements that the surface can draw. It keeps a picture of each, as large as the element on the screen,
 * so that a few hostile ones take all memory, and it draws broken lines dash by dash: the most expensive are left
 * out while all together take too many pixels (decision 119).
 * @param pixelRatio pixels of the screen in one of CSS.
 */
export function drawable<Element extends ExcalidrawElement>(
  elements: readonly Element[],
  pixelRatio: number,
): readonly Element[] {
  const sizes = new Map(elements.map((element) => [element, paintedPixels(element, pixelRatio)]));
  const isFine = sumOf(sizes.values()) <= PIXELS_MAX;
  if (isFine) return elements;
  const drawn = new Set<Element>();
  let left = PIXELS_MAX;
  for (const [element, pixels] of [...sizes].sort(([, one], [, other]) => one - other)) {
    left -= pixels;
    if (left >= 0) drawn.add(element);
  }
  return elements.filter((element) => drawn.has(element));
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, each) => sum + each, 0);

/** As in Excalidraw 0.18, `generateElementCanvas`, at no zoom. */
function paintedPixels(element: ExcalidrawElement, pixelRatio: number): number {
  if (element.isDeleted || element.type === 'frame') return 0;
  const [width, height] = extentOf(element);
  const margin = marginOf(element);
  const picture = (width + 2 * margin) * (height + 2 * margin) * pixelRatio ** 2;
  const hasLabel =
    element.type === 'arrow' && element.boundElements?.some(({ type }) => type === 'text');
  const label = hasLabel ? ((Math.max(width, height) + 10 * margin) * pixelRatio) ** 2 : 0;
  return Math.min(picture, PICTURE_MAX) + label + PIXELS_PER_DASH * dashesOf(element);
}

/** As in Excalidraw 0.18, `getDashArrayDashed` and `getDashArrayDotted`. */
function dashesOf(element: ExcalidrawElement): number {
  const { strokeStyle, strokeWidth } = element;
  if (strokeStyle === 'solid' || element.type === 'text' || element.type === 'image') return 0;
  const dash = strokeStyle === 'dashed' ? 16 + strokeWidth : 7.5 + strokeWidth;
  return outlineOf(element) / dash;
}

function outlineOf(element: ExcalidrawElement): number {
  if (!('points' in element)) return 2 * (Math.abs(element.width) + Math.abs(element.height));
  return sumOf(
    element.points.map(([x, y], index) => {
      const [beforeX, beforeY] = element.points[index - 1] ?? [x, y];
      return Math.hypot(x - beforeX, y - beforeY);
    }),
  );
}

function marginOf(element: ExcalidrawElement): number {
  if (element.type === 'freedraw') return 12 * element.strokeWidth;
  if (element.type === 'text') return element.fontSize / 2;
  return element.type === 'arrow' ? 40 : 20;
}

function extentOf(element: ExcalidrawElement): [width: number, height: number] {
  if (!('points' in element)) return [Math.abs(element.width), Math.abs(element.height)];
  const span = (axis: 0 | 1) => {
    let [least, most] = [0, 0];
    for (const point of element.points) {
      least = Math.min(least, point[axis]);
      most = Math.max(most, point[axis]);
    }
    return most - least;
  };
  return [span(0), span(1)];
}
