import { describe, expect, it } from 'vitest';
import { isBlackPicture } from './black-picture.ts';

const [WIDTH, HEIGHT, COLUMNS, ROWS] = [640, 360, 16, 9];

/** Normally distributed numbers from a fixed seed (Box and Muller, with mulberry32). */
function createNoise(): () => number {
  let seed = 42;
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 1) / 4_294_967_297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * A camera's picture, reduced as the canvas does it: each pixel of the sample is the average of a square.
 * @param brightnessAt of a point, x and y from 0 to 1.
 * @param noise the standard deviation that the sensor adds to each pixel.
 */
function sampleOf(brightnessAt: (x: number, y: number) => number, noise: number): number[] {
  const random = createNoise();
  const sums = new Array<number>(COLUMNS * ROWS).fill(0);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const value = brightnessAt(x / WIDTH, y / HEIGHT) + noise * random();
      const cell = Math.floor((y * ROWS) / HEIGHT) * COLUMNS + Math.floor((x * COLUMNS) / WIDTH);
      sums[cell] = (sums[cell] ?? 0) + Math.round(Math.min(255, Math.max(0, value)));
    }
  }
  const pixels = (WIDTH / COLUMNS) * (HEIGHT / ROWS);
  return sums.flatMap((sum) => [sum / pixels, sum / pixels, sum / pixels, 255]);
}

const ellipse = (x: number, y: number, centre: readonly [number, number], radius: number) =>
  ((x - centre[0]) / radius) ** 2 + ((y - centre[1]) / (radius * 1.6)) ** 2 < 1;

describe('a picture', () => {
  it.each([
    ['of no light at all', () => 0, 0],
    ['of a covered lens, with the noise of a sensor', () => 2, 6],
    ['of a covered lens, with the noise of a sensor that amplifies', () => 4, 16],
    ['of a shutter that lets a little light in at its edge', (x: number) => (x > 0.97 ? 14 : 3), 6],
  ] as const)('%s is black', (_, brightnessAt, noise) => {
    expect(isBlackPicture(sampleOf(brightnessAt, noise))).toBe(true);
  });

  it.each([
    [
      'of a dark room with a lamp',
      (x: number, y: number) => (ellipse(x, y, [0.8, 0.2], 0.05) ? 230 : 6),
    ],
    [
      'of a face in the light of a screen',
      (x: number, y: number) => (ellipse(x, y, [0.5, 0.5], 0.15) ? 38 : 6),
    ],
    [
      'of two hands on a dark desk',
      (x: number, y: number) =>
        ellipse(x, y, [0.35, 0.8], 0.1) || ellipse(x, y, [0.65, 0.8], 0.1) ? 45 : 8,
    ],
    ['of an evening room without a lamp', (x: number, y: number) => 12 + 24 * x * y],
    ['of a finger on the lens, which light shines through', () => 40],
    ['of an evenly grey wall', () => 90],
  ] as const)('%s is not', (_, brightnessAt) => {
    expect(isBlackPicture(sampleOf(brightnessAt, 6))).toBe(false);
  });
});
