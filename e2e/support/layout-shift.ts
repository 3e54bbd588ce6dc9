import type { Page } from '@playwright/test';

/**
 * From the next document on adds up what is pushed aside without a press, by movements too; call it before
 * that is opened.
 */
export async function watchShift(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput')) continue;
        const sum = Reflect.get(window, 'shift') + Reflect.get(entry, 'value');
        Reflect.set(window, 'shift', sum);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum in the present document, as https://web.dev/articles/cls scores each shift. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, 'shift'));
