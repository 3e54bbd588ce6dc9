import { expect, test, vi } from 'vitest';
import { loadFontsOfOthers } from './fonts-of-others.ts';

test('a font that cannot be downloaded, as when the page is left meanwhile, is no error', async () => {
  vi.doMock('./fonts.css', () => {
    throw new Error('Unable to preload CSS');
  });
  await expect(loadFontsOfOthers()).resolves.toBeUndefined();
});
