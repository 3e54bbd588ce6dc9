/**
 * Loads the font ranges for text that people write: names, chat. The browser downloads only ranges that the
 * page shows and the font of our own texts lacks, after the page itself.
 */
export async function loadFontsOfOthers(): Promise<void> {
  await document.fonts.ready;
  // Without the list of ranges another font of the computer is used.
  await import('./fonts.css').catch(() => undefined);
}
