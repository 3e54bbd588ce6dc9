/** Seeded randomness: the same seed makes the same plan of faults. */
export interface Random {
  /** Evenly spread over [from, to). */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Another source that depends only on this one's seed and how often it was split. */
  split(): Random;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + next() * (to - from),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    split: () => createRandom(next() * 2 ** 32),
  };
}
