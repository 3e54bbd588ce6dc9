/**
 * Makes the font's ranges known for what people write themselves: names, chat. The browser downloads
 * only ranges that the page shows and the font of our own texts lacks, after the page itself.
 */
export async function loadFontsOfOthers(): Promise<void> {
  await document.fonts.ready;
  // Without the list of ranges another font of the computer draws these letters.
  await import('./fonts.css').catch(() => undefined);
}
