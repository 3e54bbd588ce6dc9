import { defineConfig } from '@playwright/test';
import config, { measuredChromium } from './playwright.config.ts';

/** Figures of the browser for docs/benchmarks.md; they need a machine that does little else. */
export default defineConfig({
  ...config,
  testDir: './figures',
  metadata: { isMeasured: true },
  use: {
    ...config.use,
    launchOptions: measuredChromium,
    reducedMotion: 'no-preference',
    trace: 'off',
  },
});
