import { expect, it } from 'vitest';
import { newRectangle } from '../../../test/drawings.ts';
import { readElement } from './board-element.ts';

const TRIES = 10;
/** Of the same bytes without a fault; with all faults found it was 20 times as much. */
const RATIO_MAX = 2;

const arrow = (fixedSegments: readonly unknown[]) =>
  newRectangle({
    type: 'arrow',
    points: [
      [0, 0],
      [10, 10],
    ],
    lastCommittedPoint: null,
    startBinding: null,
    endBinding: null,
    startArrowhead: null,
    endArrowhead: null,
    elbowed: true,
    fixedSegments,
  });

/** The shortest of several tries, in ms. */
function costOf(sent: unknown): number {
  const costs = Array.from({ length: TRIES }, () => {
    const beganAtMs = performance.now();
    try {
      readElement(sent);
    } catch {
      // The refusal is what is measured.
    }
    return performance.now() - beganAtMs;
  });
  return Math.min(...costs);
}

it('refuses an element with a fault in each of thousands of items as fast as it reads a good one', () => {
  const good = arrow(Array.from({ length: 200 }, () => ({ start: [0, 0], end: [1, 1], index: 1 })));
  const bad = arrow(Array.from({ length: 4_600 }, () => ({})));
  expect(() => readElement(bad)).toThrow();
  expect(readElement(good).id).toBe(good.id);
  expect(costOf(bad)).toBeLessThan(RATIO_MAX * costOf(good));
});
