import { BOARD_ELEMENT_MAX_BYTES, type BoardElement } from '@mogakgong/contract';

type Point = readonly [x: number, y: number];

/** Distance from its line, in pixels of the board, that a point must have to stay: doubled until it fits. */
const FIRST_TOLERANCE = 0.25;
/** Of a stroke that is as long as a person can draw, this leaves hardly more than its ends. */
const LAST_TOLERANCE = 4_096;

const encoder = new TextEncoder();

/** The size of an element in a frame. */
export function bytesOf(element: BoardElement): number {
  return encoder.encode(JSON.stringify(element)).length;
}

/**
 * The element as it may be sent: itself, or a stroke with fewer points that looks alike; null where it
 * is too large in another way.
 */
export function fitting(element: BoardElement) {
  if (bytesOf(element) <= BOARD_ELEMENT_MAX_BYTES) return element;
  const points = pointsOf(element);
  if (points === null) return null;
  const rounded = points.map(([x, y]) => [toTenth(x), toTenth(y)] as const);
  let kept: readonly number[] = rounded.map((_, index) => index);
  for (let tolerance = FIRST_TOLERANCE; tolerance <= LAST_TOLERANCE; tolerance *= 2) {
    const smaller = withPoints(element, rounded, kept);
    if (bytesOf(smaller) <= BOARD_ELEMENT_MAX_BYTES) return smaller;
    kept = significantPoints(rounded, tolerance);
  }
  return null;
}

const toTenth = (length: number) => Math.round(length * 10) / 10;

/** Of freehand strokes and plain lines: those of an arrow are held by what it connects. */
function pointsOf({ type, points }: BoardElement): readonly Point[] | null {
  const isStroke = type === 'freedraw' || type === 'line';
  return isStroke && Array.isArray(points) ? points : null;
}

function withPoints(element: BoardElement, points: readonly Point[], kept: readonly number[]) {
  const { pressures } = element;
  const hasPressures = Array.isArray(pressures) && pressures.length > 0;
  return {
    ...element,
    points: kept.map((index) => points[index]),
    ...(hasPressures && { pressures: kept.map((index) => toHundredth(pressures[index])) }),
  };
}

const toHundredth = (pressure: unknown) =>
  typeof pressure === 'number' ? Math.round(pressure * 100) / 100 : 0.5;

/** The numbers of the points that a line needs (Ramer, Douglas and Peucker), its ends among them. */
function significantPoints(points: readonly Point[], tolerance: number): readonly number[] {
  const kept = new Set([0, points.length - 1]);
  const spans = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first = 0, last = 0] = span;
    const farthest = farthestPoint(points, first, last);
    if (farthest.distance <= tolerance) continue;
    kept.add(farthest.index);
    spans.push([first, farthest.index], [farthest.index, last]);
  }
  return [...kept].sort((a, b) => a - b);
}

function farthestPoint(points: readonly Point[], first: number, last: number) {
  const farthest = { index: first, distance: -1 };
  const [start, end] = [points[first], points[last]];
  for (let index = first + 1; start && end && index < last; index += 1) {
    const point = points[index];
    const distance = point ? distanceFromSpan(point, start, end) : 0;
    if (distance > farthest.distance) Object.assign(farthest, { index, distance });
  }
  return farthest;
}

function distanceFromSpan([x, y]: Point, [startX, startY]: Point, [endX, endY]: Point): number {
  const [width, height] = [endX - startX, endY - startY];
  const square = width ** 2 + height ** 2;
  const along = square === 0 ? 0 : ((x - startX) * width + (y - startY) * height) / square;
  const nearest = Math.min(1, Math.max(0, along));
  return Math.hypot(x - startX - nearest * width, y - startY - nearest * height);
}
