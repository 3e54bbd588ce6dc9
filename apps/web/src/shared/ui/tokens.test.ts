import { describe, expect, it } from 'vitest';
import css from './tokens.css?raw';

/** Token → [light, dark], as `light-dark(#…, #…)` declares them. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/gu)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
  ),
);

/** WCAG 2.2: relative luminance of `#rrggbb`. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['ground', 'surface', 'raised'];

/** [foreground, background, minimum contrast]: 4.5 for text, 3 for signs and the focus ring. */
const pairs: [string, string, number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['ink-soft', ground, 4.5],
    ['lamp-ink', ground, 4.5],
    ['danger', ground, 4.5],
    ['ring', ground, 3],
    ['focus', ground, 4.5],
    ['pause', ground, 3],
    ['away', ground, 3],
    ['ended', ground, 3],
    ['idle', ground, 3],
  ]),
  ['line-strong', 'surface', 3],
  ['line-strong', 'ground', 3],
  ['ink', 'lamp-wash', 7],
  ['lamp-ink', 'lamp-wash', 4.5],
  ['danger', 'danger-wash', 4.5],
  ['on-primary', 'primary', 4.5],
  ['on-primary', 'primary-hover', 4.5],
  ['on-danger', 'danger', 4.5],
  ['on-lamp', 'lamp', 4.5],
  ...[0, 1, 2, 3, 4, 5].map((person): [string, string, number] => [
    `person-${person}`,
    `person-${person}-wash`,
    4.5,
  ]),
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the %s theme', (_theme, side) => {
  it.each(pairs)(
    'shows %s on %s with a contrast of at least %d',
    (foreground, background, least) => {
      const front = tokens.get(foreground)?.[side];
      const back = tokens.get(background)?.[side];
      expect(front, foreground).toBeDefined();
      expect(back, background).toBeDefined();
      expect(contrast(front ?? '', back ?? '')).toBeGreaterThanOrEqual(least);
    },
  );
});

/** Hue in degrees and saturation from 0 to 1 of `#rrggbb`. */
function hueOf(hex: string): { readonly hue: number; readonly saturation: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    Number.parseInt(hex.slice(start, start + 2), 16),
  );
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const sixths = {
    [blue]: 4 + (red - green) / range,
    [green]: 2 + (blue - red) / range,
    [red]: (green - blue) / range,
  };
  return { hue: ((sixths[most] ?? 0) * 60 + 360) % 360, saturation: range / most };
}

describe.each(['light', 'dark'])('on the %s theme', (theme) => {
  const of = (name: string) => hueOf(tokens.get(name)?.[theme === 'light' ? 0 : 1] ?? '');

  // The last two are degrees of hue: 0 is red, 60 yellow, 120 green.
  it.each([
    ['focus', 'green', 135, 165],
    ['pause', 'yellow', 40, 60],
    ['ended', 'red', 0, 15],
  ])('%s is %s (specification §4)', (name, _colour, from, to) => {
    expect(of(name).saturation).toBeGreaterThan(0.5);
    expect(of(name).hue).toBeGreaterThanOrEqual(from);
    expect(of(name).hue).toBeLessThanOrEqual(to);
  });

  it('idle is gray (specification §4)', () => {
    expect(of('idle').saturation).toBeLessThan(0.15);
  });
});

it('gives every status its own colour', () => {
  for (const side of [0, 1] as const) {
    const colours = ['focus', 'pause', 'away', 'ended', 'idle'].map(
      (name) => tokens.get(name)?.[side],
    );
    expect(new Set(colours).size).toBe(5);
  }
});
