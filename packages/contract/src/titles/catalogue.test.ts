import { describe, expect, it } from 'vitest';
import { findTitle, titleCatalogue, titleIcons, toCatalogueTitle } from './index.ts';

describe('the catalogue of titles', () => {
  it('has at least twenty, each with an id, a key, a drawing and texts of its own', () => {
    expect(titleCatalogue.length).toBeGreaterThanOrEqual(20);
    const each = (pick: (title: (typeof titleCatalogue)[number]) => unknown) =>
      new Set(titleCatalogue.map(pick)).size;
    expect([
      each((title) => title.titleId),
      each((title) => title.key),
      each((title) => title.icon),
      each((title) => title.ko.name),
      each((title) => title.en.name),
      each((title) => title.ko.description),
      each((title) => title.en.description),
    ]).toEqual(Array(7).fill(titleCatalogue.length));
  });

  it('uses every drawing', () => {
    expect(titleCatalogue.map(({ icon }) => icon).sort()).toEqual([...titleIcons].sort());
  });

  it('asks for more with every next title of a figure and type', () => {
    const kinds = Object.groupBy(titleCatalogue, ({ type, figure }) => `${type} ${figure}`);
    for (const titles of Object.values(kinds)) {
      const thresholds = (titles ?? []).map(({ threshold }) => threshold);
      expect(thresholds).toEqual(thresholds.toSorted((a, b) => a - b));
      expect(new Set(thresholds).size).toBe(thresholds.length);
    }
  });

  it('is worded in the language of the reader', () => {
    const title = findTitle('streak-7');
    expect(title && toCatalogueTitle(title, 'en')).toMatchObject({ titleId: 9, name: 'Candle' });
    expect(findTitle(9)?.ko.name).toBe('촛불');
    expect(findTitle('no-title')).toBeUndefined();
  });
});
