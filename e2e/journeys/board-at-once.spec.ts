import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { apiPids } from '../../test/running-stack.ts';
import { enterFromMain, expect, test } from '../support/journey.ts';

/** What is drawn must be stored within this time (issue 13). */
const DURABLE_P95_MS = 600;

declare global {
  interface Window {
    /** For each SEND of changes: ms from the first of these movements to the RECEIPT. */
    durableMs?: number[];
    /** How many of these wait for their RECEIPT. */
    unstored?: () => number;
  }
}

/** Before the page loads: measures how long it takes until what is drawn is stored. */
function measureDurability(): void {
  const durableMs: number[] = [];
  const waiting = new Map<string, number>();
  let drawnSinceMs: number | null = null;
  window.durableMs = durableMs;
  window.unstored = () => waiting.size + Number(drawnSinceMs !== null);
  window.addEventListener(
    'pointermove',
    ({ buttons }) => {
      if (buttons === 1) drawnSinceMs ??= performance.now();
    },
    true,
  );
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        for (const [, id = ''] of String(data).matchAll(/RECEIPT\n(?:.+\n)*?receipt-id:(.+)\n/gu)) {
          const sinceMs = waiting.get(id);
          if (sinceMs !== undefined) durableMs.push(performance.now() - sinceMs);
          waiting.delete(id);
        }
      });
    }

    override send(data: string | Blob | BufferSource): void {
      const frame = String(data);
      const isChange = frame.includes('destination:/pub/board') && !frame.includes('"elements":[]');
      const receipt = /^receipt:(.+)$/mu.exec(frame)?.[1];
      if (isChange && receipt !== undefined && drawnSinceMs !== null) {
        waiting.set(receipt, drawnSinceMs);
        drawnSinceMs = null;
      }
      super.send(data);
    }
  };
}

/** What was measured since it was asked for last, once all that was drawn is stored. */
async function durabilityOf(page: Page): Promise<readonly number[]> {
  await expect.poll(() => page.evaluate(() => window.unstored?.())).toBe(0);
  return page.evaluate(() => window.durableMs?.splice(0) ?? []);
}

const panelOf = (page: Page) => page.getByRole('region', { name: '화이트보드' });

/** Opens the board, and takes the pen. */
async function openBoard(page: Page): Promise<void> {
  await page.getByRole('button', { name: '화이트보드', exact: true }).click();
  await panelOf(page).getByRole('button', { name: '크게 보기' }).click();
  await panelOf(page).getByTestId('toolbar-freedraw').check({ force: true });
}

/** Draws a stroke in one of sixteen places. */
async function draw(page: Page, place: number): Promise<void> {
  const box = await panelOf(page).locator('canvas.interactive').boundingBox();
  if (!box) throw new Error('there is no board');
  const x = box.x + box.width * (0.35 + 0.15 * (place % 4));
  const y = box.y + box.height * (0.2 + 0.18 * (Math.floor(place / 4) % 4));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 12 });
  await page.mouse.move(x + 70, y - 10, { steps: 12 });
  await page.mouse.up();
}

interface Drawing {
  readonly id: string;
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly points: readonly (readonly [number, number])[];
}

/** The strokes that the board shows, in the order of drawing, from its saved file. */
async function drawingsOf(page: Page): Promise<readonly Drawing[]> {
  await panelOf(page).getByRole('button', { name: '화이트보드 메뉴' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: '더 보기' }).click();
  await page.getByRole('menuitem', { name: '편집할 수 있는 파일로 저장' }).click();
  const { elements } = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
  return elements.map(({ id, type, x, y, points }: Drawing) => ({ id, type, x, y, points }));
}

/** After some failed tries a connection waits up to half a minute for the next. */
const RECOVERY_DEADLINE_MS = 60_000;

/** Waits until both show the same, as many strokes as these; what they show. */
async function expectEqualBoards(
  one: Page,
  other: Page,
  strokes: number,
): Promise<readonly Drawing[]> {
  let drawings: readonly Drawing[] = [];
  await expect(async () => {
    drawings = await drawingsOf(one);
    expect(drawings).toHaveLength(strokes);
    expect(await drawingsOf(other)).toEqual(drawings);
  }).toPass({ timeout: RECOVERY_DEADLINE_MS });
  return drawings;
}

const missingIn = (drawings: readonly Drawing[], among: readonly Drawing[]) =>
  among.filter(({ id }) => drawings.every((drawing) => drawing.id !== id));

test('two learners draw at once, through a cut, a reload and kill -9 of the API, and see the same', async ({
  newLearner,
  stack,
}) => {
  test.setTimeout(300_000);
  const measured = (page: Page) => page.addInitScript(measureDurability);
  const [{ page: one }, { page: other }] = await Promise.all([
    newLearner(measured),
    newLearner(measured),
  ]);
  const room = await enterFromMain(one);
  expect(await enterFromMain(other)).toBe(room);
  await Promise.all([openBoard(one), openBoard(other)]);
  let strokes = 0;
  const drawAtOnce = async () => {
    strokes += 2;
    await Promise.all([draw(one, strokes - 2), draw(other, strokes - 1)]);
  };

  // Other programs may keep the machine busy: what counts is a round without them.
  await expect(async () => {
    await drawAtOnce();
    await drawAtOnce();
    const durableMs = [...(await durabilityOf(one)), ...(await durabilityOf(other))];
    durableMs.sort((a, b) => a - b);
    const p95 = durableMs[Math.ceil(durableMs.length * 0.95) - 1] ?? Number.NaN;
    console.log(`${durableMs.length} changes stored; p95 ${Math.round(p95)} ms from drawing`);
    expect(durableMs.length).toBeGreaterThan(10);
    expect(p95).toBeLessThan(DURABLE_P95_MS);
  }).toPass({ timeout: 120_000 });

  await one.context().setOffline(true);
  await drawAtOnce();
  await other.reload();
  await openBoard(other);
  await drawAtOnce();
  await one.context().setOffline(false);
  await expectEqualBoards(one, other, strokes);

  const drawing = drawAtOnce();
  for (const pid of await apiPids(stack)) process.kill(pid, 'SIGKILL');
  await drawing;
  await drawAtOnce();
  const before = await expectEqualBoards(one, other, strokes);

  // What the other drew last is not undone by who drew before.
  await draw(other, strokes);
  await panelOf(one).locator('.excalidraw').first().press('Control+z');
  const after = await expectEqualBoards(one, other, strokes);
  expect(missingIn(after, before)).toHaveLength(1);
  expect(missingIn(before, after)).toHaveLength(1);
});
