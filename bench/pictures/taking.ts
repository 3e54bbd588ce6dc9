import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import playwrightConfig from '../../e2e/playwright.config.ts';
import { playOn } from '../../e2e/support/journey.ts';
import { type Stack, startStack } from '../../test/running-stack.ts';

/** The windows that design §7 names. */
export const WIDTHS = [360, 768, 1280, 1920] as const;
export const THEMES = ['dark', 'light'] as const;

const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 390: 844, 768: 1024, 1920: 1080 };
const DEFAULT_HEIGHT = 800;

export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] ?? DEFAULT_HEIGHT });
}

/** As the switch in the header does. */
export const wear = (page: Page, theme: string) =>
  page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, theme);

interface TakeOptions {
  /** How long the page moves after what was done to it. */
  readonly settleMs: number;
  /** The whole page, not the window alone (which is right for a dialog). */
  readonly fullPage?: boolean;
}

/** Takes pictures into a folder. */
export class Album {
  readonly #folder: string;
  readonly #settleMs: number;
  isFullPage: boolean;
  taken = 0;

  constructor(folder: string, { settleMs, fullPage = false }: TakeOptions) {
    this.#folder = path.resolve(folder);
    this.#settleMs = settleMs;
    this.isFullPage = fullPage;
  }

  async take(page: Page, name: string): Promise<void> {
    await page.waitForTimeout(this.#settleMs);
    const file = path.join(this.#folder, `${name}.png`);
    await page.screenshot({ path: file, fullPage: this.isFullPage });
    this.taken += 1;
  }

  /** Runs the product and a browser while `work` takes pictures. */
  async fill(work: (stack: Stack, browser: Browser) => Promise<void>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const stack = await startStack('pictures');
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
    try {
      playOn(stack);
      await work(stack, browser);
      console.log(`${this.taken} pictures are in ${this.#folder}`);
    } finally {
      await browser.close();
      await stack.stop();
    }
  }
}
