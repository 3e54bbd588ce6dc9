import { expect, test, vi } from 'vitest';
import { loadFontsOfOthers } from './fonts-of-others.ts';

test('a font that cannot be downloaded, as when the page is left meanwhile, is no error', async () => {
  vi.doMock('./fonts.css', () => {
    throw new Error('Unable to preload CSS');
  });
  await expect(loadFontsOfOthers()).resolves.toBeUndefined();
});

test('on a slow network text has the fonts of the device', async () => {
  const load = vi.fn(() => ({}));
  vi.doMock('./fonts.css', load);
  document.documentElement.toggleAttribute('data-slow', true);
  await loadFontsOfOthers();
  expect(load).not.toHaveBeenCalled();
  document.documentElement.toggleAttribute('data-slow', false);
});
