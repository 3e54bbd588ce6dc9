import { getCommonBounds } from '@excalidraw/excalidraw';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';

/** Pixels of the screen, at 4 bytes each, that the pictures of all elements may take. */
const PIXELS_MAX = 100_000_000;
/** Excalidraw makes no picture of an element larger than this, except for the label of an arrow. */
const PICTURE_MAX = 16_777_216;
/** Pixels that take as long to paint as one dash or dot of a broken line (decision 119). */
const PIXELS_PER_DASH = 500;
/** Pixels that take as long to paint as one pixel of the way of a pen, whose outline is filled as a whole. */
const PIXELS_PER_PEN_PIXEL = 8;

/**
 * Excalidraw compares the pointer with each point of all lines, in view or not: 5 µs each. An honest board of
 * 2,000 lines has as many.
 */
const LINE_POINTS_MAX = 10_000;

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
 * Chooses the elements that the surface draws. It keeps a picture of each that comes into view, as large as the
 * element on the screen, so that a few hostile ones take all memory, and it draws broken lines dash by dash
 * (decision 119).
 */
export class Painted {
  /** Pixels of the pictures that the surface keeps, by the element's id. */
  #kept = new Map<string, number>();

  /**
   * The elements to draw, without the most expensive: while all lines have too many points, while all dashes and
   * ways of a pen take too long, which a saved picture has to draw as well, and while all in view take too many
   * pixels. When all pictures that are kept take too many, elements out of view come as new objects, but for
   * edited ones: a picture is kept for as long as its element is the same object.
   */
  fit<Element extends ExcalidrawElement>(
    elements: readonly Element[],
    view: Viewport,
    editedIds: readonly string[] = [],
  ): readonly Element[] {
    const touchable = withoutLargest(elements, ofEach(elements, linePointsOf), LINE_POINTS_MAX);
    const quick = withoutLargest(touchable, ofEach(touchable, drawingOf), PIXELS_MAX);
    const sizes = sizesOf(quick, view);
    const drawn = withoutLargest(quick, sizes, PIXELS_MAX);
    const inView = new Map<string, number>();
    for (const element of drawn) {
      const pixels = sizes.get(element);
      if (pixels !== undefined) inView.set(element.id, pixels);
    }
    for (const [id, pixels] of inView) this.#kept.set(id, pixels);
    if (sumOf(this.#kept.values()) <= PIXELS_MAX) return drawn;
    const isRenewed = ({ id }: Element) => !inView.has(id) && !editedIds.includes(id);
    this.#kept = inView;
    return drawn.map((element) => (isRenewed(element) ? { ...element } : element));
  }
}

/**
 * Pixels of each element that is drawn: of those in view, and of any that one in view names as its text,
 * which Excalidraw draws with it wherever that is.
 */
function sizesOf<Element extends ExcalidrawElement>(elements: readonly Element[], view: Viewport) {
  const present = new Map(
    elements.filter(({ isDeleted }) => !isDeleted).map((element) => [element.id, element]),
  );
  const sizes = new Map<Element, number>();
  for (const element of present.values()) {
    const bounds = boundsOf(element, present);
    if (bounds === null) sizes.set(element, Number.POSITIVE_INFINITY);
    if (bounds === null || !isInView(bounds, view)) continue;
    const text = present.get(textIdOf(element) ?? '');
    sizes.set(element, paintedPixels(element, bounds, view));
    const boundsOfText = text && boundsOf(text, present);
    if (boundsOfText) sizes.set(text, paintedPixels(text, boundsOfText, view));
  }
  return sizes;
}

const ofEach = <Element extends ExcalidrawElement>(
  elements: readonly Element[],
  sizeOf: (element: Element) => number,
) =>
  new Map(
    elements
      .filter(({ isDeleted }) => !isDeleted)
      .map((element) => [element, sizeOf(element)] as const),
  );

const linePointsOf = (element: ExcalidrawElement) =>
  element.type === 'line' || element.type === 'arrow' ? element.points.length : 0;

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

/** As in Excalidraw 0.18, `generateElementCanvas`. */
function paintedPixels(element: ExcalidrawElement, bounds: Bounds, view: Viewport): number {
  if (element.type === 'frame') return 0;
  const margin = marginOf(element);
  const [width, height] = sizeOf(element, bounds);
  const picture = (width + 2 * margin) * (height + 2 * margin) * view.scale ** 2;
  const label = isLabelled(element)
    ? ((Math.max(width, height) + 10 * margin) * view.scale) ** 2
    : 0;
  return Math.min(picture, PICTURE_MAX) + label + drawingOf(element) * Math.max(1, view.scale);
}

/** Beyond the pixels of its picture. */
function drawingOf(element: ExcalidrawElement): number {
  const pen = element.type === 'freedraw' ? outlineOf(element) : 0;
  return PIXELS_PER_DASH * dashesOf(element) + PIXELS_PER_PEN_PIXEL * pen;
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

/** By element, which Excalidraw changes in its place, with its version: a full board has 140,000 points. */
const outlines = new WeakMap<
  ExcalidrawElement,
  { readonly version: number; readonly length: number }
>();

function outlineOf(element: ExcalidrawElement): number {
  if (!('points' in element)) return 2 * (Math.abs(element.width) + Math.abs(element.height));
  const { points, version } = element;
  const known = outlines.get(element);
  if (known?.version === version) return known.length;
  const steps = points.map(([x, y], index) => {
    const [beforeX, beforeY] = points[index - 1] ?? [x, y];
    return Math.hypot(x - beforeX, y - beforeY);
  });
  const length = sumOf(steps);
  outlines.set(element, { version, length });
  return length;
}

function marginOf(element: ExcalidrawElement): number {
  if (element.type === 'freedraw') return 12 * element.strokeWidth;
  if (element.type === 'text') return element.fontSize / 2;
  return element.type === 'arrow' ? 40 : 20;
}
