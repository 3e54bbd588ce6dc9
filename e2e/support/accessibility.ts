import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Fails if axe finds anything on the page, including broken best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: AxeViolation[] }> };
    };
    // Halfway between two colours the contrast is that of neither.
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    // Experimental, so not among axe's own: who speaks to the page says what they see (WCAG 2.5.3).
    const rules = { 'label-content-name-mismatch': { enabled: true } };
    const { violations } = await axe.run({ rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }));
  });
  expect(violations).toEqual([]);
}

/** Checks the page in light and in dark, between which only its colours change; it stays dark. */
export async function inBothThemes(page: Page, check: (page: Page) => Promise<void>) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await check(page);
  }
}

/** Nothing may be wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

/** The narrowest window and the usual one, in CSS pixels. */
export const WIDTHS_PX = [320, 1280];

/** At each width axe finds nothing and nothing is wider than the window, which keeps the last width. */
export async function expectGood(page: Page): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

/** More than any page has controls. */
const TABS_MAX = 60;

/** The names of the controls of the main part, as Tab reaches them. */
export async function tabOrder(page: Page): Promise<string[]> {
  const names: string[] = [];
  // What is shown before the application is there is disabled.
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
  await page.getByRole('link', { name: '본문으로 바로가기' }).focus();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator('main :focus');
    if ((await focused.count()) > 0) names.push(await focused.evaluate(nameOf));
    else if (names.length > 0) break;
  }
  return names;
}

/** Runs in the page. */
function nameOf(element: Element): string {
  const { labels } = element as HTMLInputElement;
  return element.ariaLabel ?? labels?.[0]?.textContent ?? element.textContent ?? '';
}
