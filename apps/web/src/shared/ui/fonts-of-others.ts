/**
 * Loads the font ranges for text that people write: names, chat. The browser downloads only ranges that the
 * page shows and the font of our own texts lacks, after the page itself; on a slow network none (public/theme.js).
 */
export async function loadFontsOfOthers(): Promise<void> {
  if ('slow' in document.documentElement.dataset) return;
  await document.fonts.ready;
  // Without the list of ranges another font of the computer is used.
  await import('./fonts.css').catch(() => undefined);
}
