import type { DeskLook } from '../../shared/ui/desk.tsx';

const focusing = { light: 'burning' } as const;
const onBreak = { light: 'low' } as const;
const away = { light: 'off' } as const;
const free = { light: 'off', empty: true } as const;

/** The drawn study room of the hero: the desks nearest to the headline come first. */
export const heroDesks: readonly DeskLook[] = [
  { ...focusing, hair: 'bob', clothes: 'paper', work: 'laptop', mirrored: true },
  { ...focusing, hair: 'short', clothes: 'pine', work: 'book' },
  { ...away, hair: 'long', clothes: 'moss', work: 'notes', mirrored: true },
  { ...focusing, hair: 'hood', clothes: 'moss', work: 'notes' },
  { ...onBreak, hair: 'bun', clothes: 'clay', work: 'book' },
  { ...focusing, hair: 'long', clothes: 'pine', work: 'notes', mirrored: true },
  { ...focusing, hair: 'bun', clothes: 'clay', work: 'laptop' },
  { ...free, hair: 'short', clothes: 'pine', work: 'book', mirrored: true },
  { ...focusing, hair: 'short', clothes: 'clay', work: 'laptop', mirrored: true },
  { ...away, hair: 'hood', clothes: 'pine', work: 'book' },
  { ...focusing, hair: 'long', clothes: 'paper', work: 'book' },
  { ...focusing, hair: 'bob', clothes: 'moss', work: 'notes', mirrored: true },
  { ...free, hair: 'bob', clothes: 'paper', work: 'book' },
  { ...focusing, hair: 'bun', clothes: 'pine', work: 'notes', mirrored: true },
  { ...onBreak, hair: 'short', clothes: 'paper', work: 'laptop' },
  { ...focusing, hair: 'hood', clothes: 'clay', work: 'book', mirrored: true },
];

/** Some of them for the drawing of live video. */
export const videoDesks: readonly DeskLook[] = [0, 3, 5, 6, 11].flatMap(
  (index) => heroDesks[index] ?? [],
);
