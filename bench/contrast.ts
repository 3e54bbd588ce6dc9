import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { putGoal } from '@mogakgong/contract';
import { type Browser, chromium, type Page } from '@playwright/test';
import { measuredChromium } from '../e2e/playwright.config.ts';
import {
  callAs,
  createAccount,
  enterFromMain,
  LIGHT_PATH,
  logInDetails,
  logInHere,
  playOn,
  tileOf,
} from '../e2e/support/journey.ts';
import { startStack } from '../test/running-stack.ts';

/**
 * The contrast of what stands on pictures (WCAG 2.2, 1.4.3 and 1.4.11): two learners whose cameras show
 * made pictures, large and small tiles, each status. Each pixel of the screen behind a text or sign is
 * compared with its colour; the worst one counts. Fails where it is less than 4.5:1, or 3:1 for signs;
 * test-results/contrast then has the screens on which it is.
 *
 *     npm run bench:contrast
 */
/** As the camera is asked for. */
const WIDTH = 640;
const HEIGHT = 360;
/** Transitions of plates and pictures take up to 700 ms. */
const SETTLE_MS = 900;

type Colour = readonly [red: number, green: number, blue: number];

/** The colour of each pixel of a made picture. */
const PICTURES: Readonly<Record<string, (x: number, y: number) => Colour>> = {
  white: () => [255, 255, 255],
  black: () => [0, 0, 0],
  'light skin': () => [255, 219, 172],
  'dark skin': () => [141, 85, 36],
  stripes: (x) => (Math.floor(x / 8) % 2 === 0 ? [255, 255, 255] : [0, 0, 0]),
  noise: (x, y) => {
    // The same in each run.
    const seed = Math.sin(x * 12.9898 + y * 78.233) * 43_758.5453;
    const part = (shift: number) => Math.floor((seed * shift - Math.floor(seed * shift)) * 256);
    return [part(1), part(3), part(7)];
  },
};

/** One frame as Chromium's made camera reads it: YUV4MPEG2 with the colours of BT.601. */
function frameOf(picture: (x: number, y: number) => Colour): Buffer {
  const luma = Buffer.alloc(WIDTH * HEIGHT);
  const [blues, reds] = [Buffer.alloc(luma.length / 4), Buffer.alloc(luma.length / 4)];
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [red, green, blue] = picture(x, y);
      luma[y * WIDTH + x] = 16 + 0.257 * red + 0.504 * green + 0.098 * blue;
      const at = Math.floor(y / 2) * (WIDTH / 2) + Math.floor(x / 2);
      blues[at] = 128 - 0.148 * red - 0.291 * green + 0.439 * blue;
      reds[at] = 128 + 0.439 * red - 0.368 * green - 0.071 * blue;
    }
  }
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F15:1 Ip A1:1 C420jpeg\n`;
  return Buffer.concat([Buffer.from(`${head}FRAME\n`), luma, blues, reds]);
}

/** A text or sign on a tile, with where its pixels are. */
interface Mark {
  readonly name: string;
  readonly least: number;
  readonly colour: Colour;
  readonly opacity: number;
  readonly boxes: readonly { x: number; y: number; width: number; height: number }[];
}

/** Runs in the page: every text and sign on the tiles. */
function marksOnTiles(): Mark[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colourOf = (element: Element): { colour: Colour; alpha: number } => {
    if (!canvas) throw new Error('no canvas');
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return { colour: [red, green, blue], alpha: alpha / 255 };
  };
  const opacityOf = (element: Element | null): number =>
    element === null
      ? 1
      : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
  const partOf = (element: Element) =>
    element.closest('[class*="tile-"]')?.className.match(/tile-[\w-]+/u)?.[0] ?? 'tile';
  const marks: Mark[] = [];
  /** What is left of a box where the elements around it cut it off. */
  const visiblePart = (box: DOMRect, around: Element | null): DOMRect => {
    if (around === null) return box;
    let { left, top, right, bottom } = box;
    if (getComputedStyle(around).overflow !== 'visible') {
      const edge = around.getBoundingClientRect();
      left = Math.max(left, edge.left);
      top = Math.max(top, edge.top);
      right = Math.min(right, edge.right);
      bottom = Math.min(bottom, edge.bottom);
    }
    const part = new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    return visiblePart(part, around.parentElement);
  };
  const add = (element: Element, least: number, boxes: DOMRect[], kind: string) => {
    // A text for screen readers alone is a box of one pixel.
    const seen = boxes
      .map((box) => visiblePart(box, element.matches('svg') ? element.parentElement : element))
      .filter(({ width, height }) => width > 2 && height > 2);
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (seen.length === 0 || !isShown) return;
    const { colour, alpha } = colourOf(element);
    marks.push({
      name: `${partOf(element)} ${kind}`,
      least,
      colour,
      opacity: alpha * opacityOf(element),
      boxes: seen.map(({ x, y, width, height }) => ({ x, y, width, height })),
    });
  };
  for (const tile of document.querySelectorAll('.tile')) {
    const texts = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (element === null || element.closest('svg') || !texts.currentNode.textContent?.trim())
        continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      add(element, 4.5, [...range.getClientRects()], 'text');
    }
    // A drawn desk is a picture itself, the ring of a goal has not the colour of its text, and a lamp below the
    // picture is not seen.
    const signs = 'svg:not(.desk, [role="img"], .tile-reason:has(+ .tile-picture) > svg)';
    for (const sign of tile.querySelectorAll(signs)) {
      const status = (sign as SVGElement).dataset.status;
      add(sign, 3, [sign.getBoundingClientRect()], status ? `sign of ${status}` : 'sign');
    }
  }
  return marks;
}

interface Worst {
  readonly name: string;
  readonly least: number;
  readonly contrast: number;
}

/** Runs in an empty page: the least contrast of each mark with the pixels of the screen behind it. */
async function worstContrasts([screen, marks]: [string, Mark[]]): Promise<Worst[]> {
  const data = await (await fetch(`data:image/png;base64,${screen}`)).blob();
  const image = await createImageBitmap(data);
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  if (!canvas) throw new Error('no canvas');
  canvas.drawImage(image, 0, 0);
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([red, green, blue]: Colour) =>
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return marks.map(({ name, least, colour, opacity, boxes }) => {
    let contrast = 21;
    for (const { x, y, width, height } of boxes) {
      const { data: pixels } = canvas.getImageData(
        Math.round(x),
        Math.round(y),
        Math.max(1, Math.round(width)),
        Math.max(1, Math.round(height)),
      );
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at + 3] === 0) continue;
        const behind: Colour = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
        const over = (channel: 0 | 1 | 2) =>
          colour[channel] * opacity + behind[channel] * (1 - opacity);
        const one = luminance([over(0), over(1), over(2)]);
        const other = luminance(behind);
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        contrast = Math.min(contrast, ratio);
      }
    }
    return { name, least, contrast };
  });
}

/** Texts and signs step aside: what is behind them is left. */
const BARE = `.tile * { transition: none !important; -webkit-text-fill-color: transparent !important; text-decoration: none !important; }
  .tile svg:not(.desk) { visibility: hidden !important; }
  .tile-hide { opacity: 1 !important; }`;

/** Runs in the page. */
const untilPainted = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });

const FAILURES = path.join(import.meta.dirname, '../test-results/contrast');

const worst = new Map<string, Worst & { readonly where: string }>();

async function measure(page: Page, blank: Page, where: string): Promise<void> {
  await page.addStyleTag({ content: '.tile-hide { opacity: 1 !important; }' });
  const marks = await page.evaluate(marksOnTiles);
  const whole = await page.screenshot();
  const style = await page.addStyleTag({ content: BARE });
  // A busy machine takes pictures of a frame before the style.
  await page.evaluate(untilPainted);
  const bare = await page.screenshot();
  await style.evaluate((element) => (element as Element).remove());
  const screen = bare.toString('base64');
  for (const each of await blank.evaluate(worstContrasts, [screen, marks] as [string, Mark[]])) {
    const known = worst.get(each.name);
    if (!known || each.contrast < known.contrast) worst.set(each.name, { ...each, where });
    if (each.contrast >= each.least) continue;
    const file = path.join(FAILURES, where.replaceAll(/[ ,]+/gu, '-'));
    await writeFile(`${file}.png`, whole);
    await writeFile(`${file}-bare.png`, bare);
    console.error(`${where}: ${each.name} ${each.contrast.toFixed(2)}`);
  }
}

const SIZES = [
  { width: 1280, height: 800 },
  // Small tiles: one slim line.
  { width: 320, height: 640 },
];
/** By what the other learner presses, one after the other. */
const STATES = { focus: null, pause: '휴식', away: '자리 비움' } as const;

async function learnerPage(browser: Browser, url: string) {
  const account = await createAccount();
  const context = await browser.newContext({
    locale: 'ko-KR',
    baseURL: url,
    reducedMotion: 'reduce',
    // Styles are added to see what is behind the texts.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(LIGHT_PATH);
  await page.evaluate(logInHere, logInDetails(account));
  await page.goto('/main');
  return { page, account };
}

await mkdir(FAILURES, { recursive: true });
const folder = await mkdtemp(path.join(tmpdir(), 'contrast-'));
const stack = await startStack('contrast');
try {
  playOn(stack);
  for (const [picture, colourAt] of Object.entries(PICTURES)) {
    const file = path.join(folder, `${picture.replace(' ', '-')}.y4m`);
    await writeFile(file, frameOf(colourAt));
    const args = [...measuredChromium.args, `--use-file-for-fake-video-capture=${file}`];
    const browser = await chromium.launch({ ...measuredChromium, args });
    const one = await learnerPage(browser, stack.url);
    const other = await learnerPage(browser, stack.url);
    const tasks = [{ text: '수학 p. 40–55', isDone: false }];
    await callAs(other.account, putGoal, { body: { targetMinutes: 120, tasks, isVisible: true } });
    const blank = await (await browser.newContext()).newPage();
    await enterFromMain(one.page);
    await enterFromMain(other.page);
    for (const account of [one.account, other.account])
      await tileOf(one.page, account).locator('video').waitFor();
    for (const [status, press] of Object.entries(STATES)) {
      for (const { page } of [one, other]) {
        await page.setViewportSize(SIZES[0] as (typeof SIZES)[0]);
        if (press) await page.getByRole('button', { name: press, exact: true }).click();
      }
      await one.page.waitForFunction(
        (wanted) => document.querySelectorAll(`.tile[data-focus="${wanted}"]`).length === 2,
        status,
      );
      for (const size of SIZES) {
        await one.page.setViewportSize(size);
        // Names step back where nobody moves.
        await one.page.mouse.move(1, 1);
        await one.page.mouse.move(2, 2);
        await one.page.waitForTimeout(SETTLE_MS);
        await measure(one.page, blank, `${picture}, ${status}, ${size.width} px`);
      }
    }
    for (const { page } of [one, other]) {
      await page.setViewportSize(SIZES[0] as (typeof SIZES)[0]);
      await page.getByRole('button', { name: '나가기' }).click();
      await page.waitForURL('**/main');
    }
    await browser.close();
    console.error(`${picture}: measured`);
  }
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}

console.log('| on a tile | least | worst | where |\n|---|---|---|---|');
for (const { name, least, contrast, where } of [...worst.values()].toSorted(
  (a, b) => a.contrast / a.least - b.contrast / b.least,
)) {
  console.log(`| ${name} | ${least} | ${contrast.toFixed(2)} | ${where} |`);
  if (contrast < least) process.exitCode = 1;
}
