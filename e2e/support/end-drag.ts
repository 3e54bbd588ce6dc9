import type { Page } from '@playwright/test';

/**
 * Ends a drag on the whiteboard at a place of the page. Excalidraw takes the first move of each frame and drops
 * the others; the last one gets a frame of its own.
 */
export async function endDrag(page: Page, x: number, y: number): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.mouse.move(x, y);
  await page.mouse.up();
}
