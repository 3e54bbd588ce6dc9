import { readFile } from 'node:fs/promises';
import { getBoard } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { expectAccessible, expectGood, inBothThemes } from '../support/accessibility.ts';
import { builtFile } from '../support/built-file.ts';
import { endDrag } from '../support/end-drag.ts';
import {
  type Account,
  callAs,
  chooseLanguage,
  enterFromMain,
  expect,
  test,
} from '../support/journey.ts';

async function elementsOn(roomId: number, reader: Account) {
  const { elements } = await callAs(reader, getBoard, { params: { roomId } });
  return elements.filter(({ isDeleted }) => !isDeleted);
}

const panelOf = (page: Page) => page.getByRole('region', { name: '화이트보드' });
const paperOf = (page: Page) => panelOf(page).locator('canvas.interactive');
/** Modules that only the board needs. */
const BOARD_FILES = ['room/panels/board-panel.tsx', 'features/board/excalidraw/surface.tsx'];
const isOfBoard = (address: string) =>
  BOARD_FILES.map(builtFile).includes(new URL(address).pathname);

async function openBoard(page: Page): Promise<void> {
  await page.getByRole('button', { name: '화이트보드' }).click();
  await expect(paperOf(page)).toBeVisible();
  await expect(panelOf(page).getByText('화이트보드를 여는 중')).toHaveCount(0);
}

/** Takes the pointer in the place of the pen, which is chosen at first: a click then draws nothing. */
async function layDownPen(page: Page): Promise<void> {
  await expect(panelOf(page).getByTestId('toolbar-freedraw')).toBeChecked();
  await panelOf(page).getByTestId('toolbar-selection').check({ force: true });
}

/** The elements that lie over the paper between its two bars of tools. */
const coversOf = (page: Page) =>
  paperOf(page).evaluate((paper) => {
    const boxOf = (name: string) => document.querySelector(name)?.getBoundingClientRect();
    const [tools, bar] = [boxOf('.App-toolbar'), boxOf('.App-bottom-bar > .Island')];
    if (!tools || !bar) return ['no tools'];
    const { left, right } = paper.getBoundingClientRect();
    const covers = new Set<string>();
    for (let y = tools.bottom + 4; y < bar.top - 4; y += 8) {
      for (let x = left + 4; x < right - 4; x += 8) {
        const top = document.elementFromPoint(x, y);
        if (top !== paper) covers.add(top?.outerHTML.slice(0, 200) ?? 'nothing');
      }
    }
    return [...covers];
  });

/** Gives the paper the keys. */
const goToPaper = (page: Page) => paperOf(page).click({ position: { x: 20, y: 540 } });

/** Presses the key of a tool and drags from one place of the paper to another. */
async function drag(page: Page, key: string, from: [number, number], to: [number, number]) {
  const box = await paperOf(page).boundingBox();
  if (box === null) throw new Error('there is no paper');
  await goToPaper(page);
  await page.keyboard.press(key);
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  const [x, y] = [box.x + to[0], box.y + to[1]];
  await page.mouse.move(x, y, { steps: 8 });
  await endDrag(page, x, y);
}

async function write(page: Page, text: string, x: number, y: number): Promise<void> {
  await goToPaper(page);
  await page.keyboard.press('t');
  await paperOf(page).click({ position: { x, y } });
  const editor = panelOf(page).locator('textarea.excalidraw-wysiwyg');
  await editor.fill(text);
  await editor.press('Escape');
}

/** Drops a file on the paper, as from a folder. */
async function drop(page: Page, file: Buffer, name: string, type: string): Promise<void> {
  const init = { base64: file.toString('base64'), name, type };
  await paperOf(page).evaluate((paper, { base64, name, type }) => {
    const content = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([content], name, { type }));
    const { left, top } = paper.getBoundingClientRect();
    const place = { clientX: left + 300, clientY: top + 500, bubbles: true, cancelable: true };
    paper.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: files }));
  }, init);
}

/** A drawing of large squares and a text of one letter, as a file that Excalidraw saved. */
function hostileFile(): Buffer {
  const drawn = (id: string, y: number, sidePx: number) => ({
    ...{ id, version: 1, versionNonce: 1, seed: 1, x: 6_000, y, angle: 0, opacity: 100 },
    ...{ width: sidePx, height: sidePx, strokeColor: '#1e1e1e', backgroundColor: 'transparent' },
    ...{ fillStyle: 'solid', strokeWidth: 1, strokeStyle: 'solid', roughness: 0, roundness: null },
  });
  const squares = Array.from({ length: 60 }, (_, index) => ({
    ...drawn(`square-${index}`, index, 30_000),
    type: 'rectangle',
  }));
  const letters = 'e'.repeat(6_500);
  const text = {
    ...{ ...drawn('text', -500, 100), type: 'text', text: letters, originalText: letters },
    ...{ fontSize: 20, fontFamily: 6, textAlign: 'left', verticalAlign: 'top', lineHeight: 1.25 },
  };
  const elements = [...squares, text];
  return Buffer.from(JSON.stringify({ type: 'excalidraw', version: 2, elements }));
}

const PNG = 'PNG 그림으로 저장';

/** With a no-break space, which HTML writes as an entity that no SVG knows. */
const WORDS = '오늘의 할 일\u00A0ABC';

/** Saves the board as a file; only PNG is among the first entries of the menu. */
async function save(page: Page, name: string) {
  await panelOf(page).getByRole('button', { name: '화이트보드 메뉴' }).click();
  if (name !== PNG) await page.getByRole('menuitem', { name: '더 보기' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name }).click();
  return readFile(await (await saving).path());
}

test('two learners draw and write on one board, add a picture, and keep it as files', async ({
  newLearner,
}) => {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const downloads: string[] = [];
  first.page.on('request', (request) => downloads.push(request.url()));
  const room = await enterFromMain(first.page);
  expect(await enterFromMain(second.page)).toBe(room);
  await expect(first.page.getByRole('button', { name: '화이트보드' })).toBeVisible();
  expect(downloads.filter(isOfBoard)).toEqual([]);

  await openBoard(first.page);
  expect(downloads.filter(isOfBoard)).not.toEqual([]);
  await layDownPen(first.page);
  await drag(first.page, 'r', [60, 160], [260, 260]);
  await write(first.page, WORDS, 80, 320);
  await openBoard(second.page);
  await layDownPen(second.page);
  await drag(second.page, 'o', [60, 420], [160, 480]);
  const stored = async () =>
    (await elementsOn(room, first.account))
      .map(({ type, width, text, customData }) => [
        type,
        text ?? Math.round(Number(width)),
        customData?.authorId,
      ])
      .sort();
  const [mine, theirs] = [first.account.userId, second.account.userId];
  const withoutText = [
    ['ellipse', 100, theirs],
    ['rectangle', 200, mine],
  ];
  const withText = [...withoutText, ['text', WORDS, mine]];
  // The last state of each stroke, not one on the way.
  await expect.poll(stored).toEqual(withText);

  // Undo is one's own.
  await first.page.keyboard.press('Control+z');
  await expect.poll(stored).toEqual(withoutText);
  await first.page.keyboard.press('Control+Shift+z');
  await expect.poll(stored).toEqual(withText);

  const pictureOfOther = second.page.waitForResponse(/\/board\/images\/[0-9a-f]{64}$/u);
  const picture = await readFile('docs/images/study-room.png');
  await drop(first.page, picture, 'picture.png', 'image/png');
  expect((await pictureOfOther).status()).toBe(200);
  await expect.poll(async () => (await stored()).length).toBe(4);

  expect((await save(first.page, PNG)).subarray(1, 4).toString()).toBe('PNG');
  const svg = (await save(second.page, 'SVG 그림으로 저장')).toString();
  expect(svg).toContain(WORDS);
  expect(svg).not.toContain('&nbsp;');
  expect(svg).toMatch(/@font-face \{ font-family: Nunito; src: url\(data:font\/woff2/u);
  expect(svg.match(/https?:\/\/(?!www\.w3\.org\/)/u)).toBeNull();
  const file = JSON.parse(String(await save(first.page, '편집할 수 있는 파일로 저장')));
  expect(file).toMatchObject({ type: 'excalidraw' });
  expect(file.elements).toHaveLength(4);

  await second.page.getByRole('button', { name: '글 목록으로 보기' }).click();
  const list = second.page.getByRole('region', { name: '보드에 적힌 글' });
  await expect(list.getByRole('listitem')).toHaveText([
    `${WORDS}${first.account.nickname}님이 적었어요`,
  ]);

  // Nobody empties the board alone by a key: the next one takes back the picture.
  await goToPaper(first.page);
  await first.page.keyboard.press('Control+Delete');
  await first.page.keyboard.press('Control+z');
  await expect.poll(stored).toEqual(withText);
  await expect(first.page.locator('.excalidraw .Modal')).toHaveCount(0);
  await chooseLanguage(first.page, 'en');
  const board = first.page.getByRole('region', { name: 'Whiteboard' });
  await expect(board.getByRole('radio', { name: 'Rectangle' })).toBeAttached();
});

test('of a hostile board a page draws no more than fits into its memory, and finds and copies no more than it can show', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const room = await enterFromMain(page);
  await openBoard(page);
  await drop(page, hostileFile(), 'hostile.excalidraw', 'application/json');
  await expect.poll(async () => (await elementsOn(room, account)).length).toBe(61);
  await page.getByRole('button', { name: '화이트보드', exact: true }).click();
  await expect(paperOf(page)).toHaveCount(0);

  await page.evaluate(() => {
    const canvases: HTMLCanvasElement[] = [];
    const create = document.createElement.bind(document);
    document.createElement = ((name: string, options?: ElementCreationOptions) => {
      const element = create(name, options);
      if (element instanceof HTMLCanvasElement) canvases.push(element);
      return element;
    }) as typeof create;
    Object.assign(window, { canvases });
  });
  await openBoard(page);
  /** Of all pictures that Excalidraw made since, which it makes in one frame. */
  const megapixels = () =>
    page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { canvases } = window as Window & { canvases?: HTMLCanvasElement[] };
      const sizes = canvases?.map(({ width, height }) => (width * height) / 1e6) ?? [];
      return sizes.reduce((sum, size) => sum + size, 0);
    });
  await expect.poll(megapixels).toBeGreaterThan(50);
  expect(await megapixels()).toBeLessThan(110);

  await goToPaper(page);
  await page.keyboard.press('Control+f');
  await panelOf(page).getByPlaceholder('보드에 적힌 글 찾기').fill('e');
  await expect(panelOf(page).getByText('100 개 찾음')).toBeVisible();
  await page.keyboard.press('Escape');

  const before = await megapixels();
  await paperOf(page).click({ button: 'right', position: { x: 20, y: 300 } });
  await expect(panelOf(page).getByTestId('selectAll')).toBeVisible();
  for (const id of ['copyAsPng', 'copyAsSvg']) {
    await expect(panelOf(page).getByTestId(id)).toBeHidden();
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Alt+C');
  expect(await megapixels()).toBe(before);
});

test('the board passes axe beside the tiles, wide and on a phone, in light and in dark, and gives the keys back', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await enterFromMain(page);
  await openBoard(page);
  await layDownPen(page);
  await drag(page, 'r', [60, 160], [260, 260]);
  await inBothThemes(page, expectAccessible);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 800 });
  await expect.poll(() => coversOf(page)).toEqual([]);
  if (size) await page.setViewportSize(size);
  await page.getByRole('button', { name: '크게 보기' }).click();
  const room = page.locator('[data-panel]');
  await expect(room).toHaveAttribute('data-panel', 'wide');
  await inBothThemes(page, expectGood);
  // Escape first ends the selection, then makes the board small again, then closes it.
  await goToPaper(page);
  await page.keyboard.press('Escape');
  await expect(room).toHaveAttribute('data-panel', 'board');
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: '화이트보드' })).toBeFocused();
});
