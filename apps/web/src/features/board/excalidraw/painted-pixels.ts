import { getCommonBounds } from '@excalidraw/excalidraw';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';

/** Pixels of the screen, at 4 bytes each, that the pictures of all elements may take. */
const PIXELS_MAX = 100_000_000;
/** Excalidraw makes no picture of an element larger than this, except for the label of an arrow. */
const PICTURE_MAX = 16_777_216;
/** Pixels that take as long to paint as one dash or dot of a broken line (decision 119). */
const PIXELS_PER_DASH = 500;
/**
 * Pixels that take as long to paint as one pixel of the way of a pen, whose outline is filled as a whole, of a line,
 * and of a line that is filled, which may cross itself. A rough line is drawn twice.
 */
const PIXELS_PER_WAY = { pen: 8, line: 5, filled: 30 } as const;
/** How many times as long a rounded line takes. */
const ROUNDED = 4;
/**
 * The outline of a pen with many points in few rows of pixels takes as long as the square of their number: each edge
 * is sorted among all others of its row.
 */
const PIXELS_PER_SORTED_PAIR = 1;
const ROW = 32;

/**
 * Excalidraw compares the pointer with each point of all lines around it: 5 µs each. An honest board of 2,000 lines
 * has as many.
 */
const LINE_POINTS_MAX = 10_000;
/** Points of a stroke of a pen that are compared as fast as one of a line. */
const PEN_POINTS = 30;

type Point = readonly [x: number, y: number];

/** The part of the board that the surface shows. */
export interface Viewport {
  /** Pixels of the screen in one of the board: the zoom, and the density of the screen. */
  readonly scale: number;
  /** In pixels of the board, as `width` and `height`. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Chooses the elements of the scene, which Excalidraw searches, saves and draws where they are in view. It keeps a
 * picture of each that was in view, so that a few hostile ones take all memory (decision 119).
 */
export class Painted {
  /** Pixels of the pictures that the surface keeps, by the element's id. */
  #kept = new Map<string, number>();

  /**
   * The elements without the most expensive: while all lines have too many points, and while all dashes and ways of
   * a pen take too long. When all pictures that are kept take too many pixels, elements out of view come as new
   * objects, but for edited ones: a picture is kept for as long as its element is the same object.
   */
  fit<Element extends ExcalidrawElement>(
    elements: readonly Element[],
    view: Viewport,
    editedIds: readonly string[] = [],
  ): readonly Element[] {
    const touchable = withoutLargest(elements, ofEach(elements, linePointsOf), LINE_POINTS_MAX);
    const present = presentOf(touchable);
    const bounds = ofEach(touchable, (element) => boundsOf(element, present));
    const costs = ofEach(touchable, (element) =>
      bounds.get(element) === null ? Number.POSITIVE_INFINITY : drawingOf(element),
    );
    const quick = withoutLargest(touchable, costs, PIXELS_MAX);
    const inView = quick.filter((element) => {
      const place = bounds.get(element);
      return place != null && isInView(place, view);
    });
    const sizes = ofEach(inView, (element) => paintedPixels(element, present, view.scale));
    const drawn = new Map<string, number>();
    for (const element of withoutLargest(inView, sizes, PIXELS_MAX)) {
      drawn.set(element.id, sizes.get(element) ?? 0);
    }
    for (const [id, pixels] of drawn) this.#kept.set(id, pixels);
    if (sumOf(this.#kept.values()) <= PIXELS_MAX) return quick;
    const isRenewed = ({ id }: Element) => !drawn.has(id) && !editedIds.includes(id);
    this.#kept = drawn;
    return quick.map((element) => (isRenewed(element) ? { ...element } : element));
  }
}

/**
 * The elements in view without the largest, while all take too many pixels. Excalidraw asks before it draws
 * (build/excalidraw.ts).
 * @param present all elements of the scene, by id.
 * @param scale pixels of the screen in one of the board.
 */
export function paintable<Element extends ExcalidrawElement>(
  inView: readonly Element[],
  present: Map<string, Element>,
  scale: number,
): readonly Element[] {
  const sizes = ofEach(inView, (element) => paintedPixels(element, present, scale));
  return withoutLargest(inView, sizes, PIXELS_MAX);
}

const presentOf = <Element extends ExcalidrawElement>(elements: readonly Element[]) =>
  new Map(elements.filter(({ isDeleted }) => !isDeleted).map((element) => [element.id, element]));

const ofEach = <Element extends ExcalidrawElement, Value>(
  elements: readonly Element[],
  measure: (element: Element) => Value,
) =>
  new Map(
    elements
      .filter(({ isDeleted }) => !isDeleted)
      .map((element) => [element, measure(element)] as const),
  );

const linePointsOf = (element: ExcalidrawElement) => {
  if (element.type === 'freedraw') return element.points.length / PEN_POINTS;
  return 'points' in element ? element.points.length : 0;
};

/** The elements without the largest, as many as make the sum of all sizes too large. */
function withoutLargest<Element extends ExcalidrawElement>(
  elements: readonly Element[],
  sizes: ReadonlyMap<Element, number>,
  sumMax: number,
): readonly Element[] {
  if (sumOf(sizes.values()) <= sumMax) return elements;
  const leftOut = new Set<Element>();
  let left = sumMax;
  for (const [element, size] of [...sizes].sort(([, one], [, other]) => one - other)) {
    left -= size;
    if (left < 0) leftOut.add(element);
  }
  return elements.filter((element) => !leftOut.has(element));
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, each) => sum + each, 0);

/** Left, top, right and bottom on the board, as Excalidraw computes them. */
type Bounds = ReturnType<typeof getCommonBounds>;

/** Null for an element at which Excalidraw throws: drawn, it would stop the drawing of all others. */
function boundsOf<Element extends ExcalidrawElement>(
  element: Element,
  present: Map<string, Element>,
): Bounds | null {
  try {
    return getCommonBounds([element], present);
  } catch {
    return null;
  }
}

const textIdOf = ({ boundElements }: ExcalidrawElement) =>
  boundElements?.find(({ type }) => type === 'text')?.id;

/** Whether Excalidraw draws it by a second, square picture. */
export const isLabelled = (element: ExcalidrawElement) =>
  element.type === 'arrow' && textIdOf(element) !== undefined;

/**
 * Of an element, and of whatever it names as its text, which Excalidraw draws with it wherever that is; as in
 * Excalidraw 0.18, `generateElementCanvas`.
 */
function paintedPixels<Element extends ExcalidrawElement>(
  element: Element,
  present: Map<string, Element>,
  scale: number,
): number {
  const text = present.get(textIdOf(element) ?? '');
  const pixels = [element, ...(text ? [text] : [])].map((each) => {
    const bounds = boundsOf(each, present);
    return bounds === null ? 0 : ownPixels(each, bounds, scale);
  });
  return sumOf(pixels);
}

function ownPixels(element: ExcalidrawElement, bounds: Bounds, scale: number): number {
  if (element.type === 'frame') return 0;
  const margin = marginOf(element);
  const [width, height] = sizeOf(element, bounds);
  const picture = (width + 2 * margin) * (height + 2 * margin) * scale ** 2;
  const label = isLabelled(element) ? ((Math.max(width, height) + 10 * margin) * scale) ** 2 : 0;
  return Math.min(picture, PICTURE_MAX) + label + drawingOf(element) * Math.max(1, scale);
}

/** Beyond the pixels of its picture. */
function drawingOf(element: ExcalidrawElement): number {
  return PIXELS_PER_DASH * dashesOf(element) + wayOf(element);
}

function wayOf(element: ExcalidrawElement): number {
  if (!('points' in element)) return 0;
  const { length: way, pairsInRows } = wayAlong(element);
  if (element.type === 'freedraw') {
    return PIXELS_PER_WAY.pen * way + PIXELS_PER_SORTED_PAIR * pairsInRows;
  }
  const isFilled = element.backgroundColor !== 'transparent';
  const passes = (element.roughness > 0 ? 2 : 1) * (element.roundness === null ? 1 : ROUNDED);
  return passes * way * (isFilled ? PIXELS_PER_WAY.filled : PIXELS_PER_WAY.line);
}

/** The size of an element before it is rotated, or more: its bounds are those of the rotated one. */
function sizeOf(element: ExcalidrawElement, [left, top, right, bottom]: Bounds): [number, number] {
  if (!('points' in element)) return [Math.abs(element.width), Math.abs(element.height)];
  const [width, height] = [right - left, bottom - top];
  if (element.angle === 0) return [width, height];
  const longest = Math.hypot(width, height);
  return [longest, longest];
}

const isInView = ([left, top, right, bottom]: Bounds, view: Viewport) =>
  left <= view.left + view.width &&
  top <= view.top + view.height &&
  right >= view.left &&
  bottom >= view.top;

/** As in Excalidraw 0.18, `getDashArrayDashed` and `getDashArrayDotted`. */
function dashesOf(element: ExcalidrawElement): number {
  const { strokeStyle, strokeWidth } = element;
  if (strokeStyle === 'solid' || element.type === 'text' || element.type === 'image') return 0;
  const dash = strokeStyle === 'dashed' ? 16 + strokeWidth : 7.5 + strokeWidth;
  return outlineOf(element) / dash;
}

/** The way along the points of an element, and the pairs of points that are in the same row of `ROW` pixels. */
interface Way {
  readonly version: number;
  readonly length: number;
  readonly pairsInRows: number;
}

/** By element, which Excalidraw changes in its place, with its version: a full board has 140,000 points. */
const ways = new WeakMap<ExcalidrawElement, Way>();

/** Of the points themselves: the width and height that an element states are whatever its sender wrote. */
function wayAlong(element: ExcalidrawElement & { readonly points: readonly Point[] }): Way {
  const { points, version } = element;
  const known = ways.get(element);
  if (known?.version === version) return known;
  let length = 0;
  const inRow = new Map<number, number>();
  for (const [index, [x, y]] of points.entries()) {
    const [beforeX, beforeY] = points[index - 1] ?? [x, y];
    length += Math.hypot(x - beforeX, y - beforeY);
    const row = Math.floor(y / ROW);
    inRow.set(row, (inRow.get(row) ?? 0) + 1);
  }
  const pairsInRows = sumOf([...inRow.values()].map((count) => count ** 2));
  const way = { version, length, pairsInRows };
  ways.set(element, way);
  return way;
}

const outlineOf = (element: ExcalidrawElement): number =>
  'points' in element
    ? wayAlong(element).length
    : 2 * (Math.abs(element.width) + Math.abs(element.height));

function marginOf(element: ExcalidrawElement): number {
  if (element.type === 'freedraw') return 12 * element.strokeWidth;
  if (element.type === 'text') return element.fontSize / 2;
  return element.type === 'arrow' ? 40 : 20;
}
