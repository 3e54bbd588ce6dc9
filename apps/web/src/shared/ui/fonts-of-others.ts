/**
 * Makes the font's ranges known for what people write themselves: names, chat. The browser downloads
 * only ranges that the page shows and the font of our own texts lacks, after the page itself. Where the
 * list of ranges cannot be downloaded, another font of the computer draws these letters.
 */
export async function loadFontsOfOthers(): Promise<void> {
  await document.fonts.ready;
  await import('./fonts.css').catch(() => undefined);
}
