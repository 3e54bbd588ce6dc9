import { defineConfig } from '@playwright/test';

/** Found on the system or installed by scripts/test.mjs. */
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** What Playwright switches off itself: the switch below takes the place of its own. */
const SWITCHED_OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Chromium's address bar loads 350 scripts for its suggestions in each window: as much work as our own pages. */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** A process that Chromium starts in advance for a next site, which a journey does not open. */
const SPARE_PROCESS = 'SpareRendererForSitePerProcess';

const chromiumOptions = (camera: string, switchedOff: readonly string[]) => ({
  executablePath: chromium,
  args: [
    '--no-sandbox',
    camera,
    '--use-fake-ui-for-media-stream',
    '--disable-background-networking',
    `--disable-features=${[...SWITCHED_OFF_BY_PLAYWRIGHT, ...ADDRESS_BAR_PAGES, ...switchedOff]}`,
  ],
});

/** For what is measured: with a camera of 20 pictures a second, of which the product takes 15. */
export const measuredChromium = chromiumOptions('--use-fake-device-for-media-stream', []);

/** A camera of 8 pictures a second, as many as the small picture has, and no spare processes: a fifth less work. */
export const journeyChromium = chromiumOptions('--use-fake-device-for-media-stream=fps=8', [
  SPARE_PROCESS,
]);

export default defineConfig({
  testDir: './journeys',
  globalSetup: './support/stack.ts',
  outputDir: '../test-results/e2e',
  // Each worker runs a stack of its own (support/journey.ts): journeys of two workers never meet.
  // Many journeys wait for time to pass: of two cores two workers use 63 % and three 77 %, in 15 % less time.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // Three times what the longest takes at rest: other work on the machine is no fault.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    // Drawing movements that no journey judges is an eighth of the work; journeys on motion allow it.
    reducedMotion: 'reduce',
    // It would answer navigations before a journey's own routes do; one journey lets it run.
    serviceWorkers: 'block',
    // Recording a trace of each journey more than doubles what they cost; ask for it with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: journeyChromium,
  },
});
