import { existsSync } from 'node:fs';
import { constants, loadavg, setPriority } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer, { type Page } from 'puppeteer-core';
import { measuredChromium } from '../e2e/playwright.config.ts';
import { createAccount, PASSWORD, playOn } from '../e2e/support/journey.ts';
import { type Stack, startStack } from '../test/running-stack.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * Lighthouse, mobile, on the real stack: open pages, and signed in `/main` and a room with a made camera.
 * It is no dependency of the product: LIGHTHOUSE is the folder that `npm install lighthouse@12.8.2` made.
 *
 *     LIGHTHOUSE=FOLDER npm run bench:lighthouse -- [--runs 3] [--pages /login,/main,room]
 */
const OPEN_PAGES = [
  '/',
  '/login',
  '/email-login',
  '/join',
  '/terms',
  '/privacy',
  '/support',
  '/diagnostics',
  '/password-reset',
  '/no/such/page',
];
const SIGNED_IN_PAGES = ['/main', 'room'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const HEADINGS = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
  seo: 'SEO',
} as const;
const OTHER_HEADINGS = ['first paint s', 'largest s', 'blocked ms', 'layout shift'] as const;
const SECONDS = ['first-contentful-paint', 'largest-contentful-paint'] as const;
const OTHERS = ['total-blocking-time', 'cumulative-layout-shift'] as const;

/** For what is prepared, on a machine that does other work too. */
const DEADLINE_MS = 90_000;

/** What is used of Lighthouse's answer. */
interface Report {
  /** How fast the computer was: it varies where others share it, and the scores with it. */
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<string, { readonly numericValue?: number; readonly score: number | null }>
  >;
}
type Lighthouse = (
  url: string,
  flags: object,
  config: undefined,
  page: Page,
) => Promise<{ readonly lhr: Report }>;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    pages: { type: 'string', default: [...OPEN_PAGES, ...SIGNED_IN_PAGES].join(',') },
  },
});

async function loadLighthouse(): Promise<Lighthouse | null> {
  const folder = path.resolve(process.env.LIGHTHOUSE ?? '', 'node_modules/lighthouse');
  const module = path.join(folder, 'core/index.js');
  if (!process.env.LIGHTHOUSE || !existsSync(module)) return null;
  return ((await import(pathToFileURL(module).href)) as { default: Lighthouse }).default;
}

/** Logs in and stays in this page, whose storage the runs keep. */
async function logIn(page: Page, url: string): Promise<void> {
  page.setDefaultTimeout(DEADLINE_MS);
  const account = await createAccount('모각이');
  await page.goto(`${url}/email-login`);
  await page.waitForSelector('input[type=email]:enabled');
  await page.type('input[type=email]', account.email);
  await page.type('input[type=password]', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/main');
}

/** Takes a seat, and answers the address of the room. */
async function enterRoom(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/main`);
  await page.locator('aria/스터디룸 입장하기').click();
  await page.locator('dialog ::-p-aria(입장하기)').click();
  await page.waitForFunction(() => location.pathname.startsWith('/studyroom/'));
  return page.url();
}

async function measure(lighthouse: Lighthouse, page: Page, name: string, url: string) {
  const isOpen = !SIGNED_IN_PAGES.includes(name);
  const address = name === 'room' ? await enterRoom(page, url) : url + name;
  const flags = {
    onlyCategories: CATEGORIES,
    disableStorageReset: !isOpen,
    ignoreStatusCode: true,
    logLevel: 'error',
  };
  const reports: Report[] = [];
  for (let run = 0; run < Number(options.runs); run += 1) {
    reports.push((await lighthouse(address, flags, undefined, page)).lhr);
  }
  const middle = (read: (report: Report) => number) => percentile(reports.map(read), 0.5);
  const audit = (id: string) => middle(({ audits }) => audits[id]?.numericValue ?? 0);
  const cells = [
    ...CATEGORIES.map((id) => Math.round(100 * middle((r) => r.categories[id]?.score ?? 0))),
    ...SECONDS.map((id) => (audit(id) / 1_000).toFixed(1)),
    audit(OTHERS[0]).toFixed(0),
    audit(OTHERS[1]).toFixed(3),
  ];
  const failed = Object.entries(reports[0]?.audits ?? {})
    .filter(([, { score }]) => score === 0)
    .map(([id]) => id);
  console.log(tableRow(`\`${name}\``, ...cells));
  const speeds = reports.map(({ environment }) => Math.round(environment.benchmarkIndex));
  console.error(
    `${name}: benchmark index ${speeds}; load ${loadavg()[0]?.toFixed(1)}; failed: ${failed.join(', ')}`,
  );
}

const lighthouse = await loadLighthouse();
if (lighthouse === null) {
  console.log('Skipped: LIGHTHOUSE is not a folder in which `npm install lighthouse@12.8.2` ran.');
  process.exit();
}
const { executablePath, args } = measuredChromium;
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? executablePath ?? '/usr/bin/chromium',
  args: [...(args ?? []), '--no-sandbox', '--accept-lang=ko-KR'],
});
let stack: Stack | undefined;
try {
  // Lighthouse and the servers give way to the browser: on a learner's phone none of them runs.
  setPriority(constants.priority.PRIORITY_LOW);
  stack = await startStack('lighthouse');
  playOn(stack);
  const wanted = options.pages.split(',');
  const columns = [...CATEGORIES.map((id) => HEADINGS[id]), ...OTHER_HEADINGS];
  console.log(tableRow('page', ...columns));
  console.log(tableRow('---', ...columns.map(() => '---:')));
  const visitor = await browser.newPage();
  for (const name of wanted.filter((each) => !SIGNED_IN_PAGES.includes(each))) {
    await measure(lighthouse, visitor, name, stack.url);
  }
  if (wanted.some((each) => SIGNED_IN_PAGES.includes(each))) {
    const learner = await browser.newPage();
    await logIn(learner, stack.url);
    for (const name of wanted.filter((each) => SIGNED_IN_PAGES.includes(each))) {
      await measure(lighthouse, learner, name, stack.url);
    }
  }
} finally {
  await browser.close();
  await stack?.stop();
}
