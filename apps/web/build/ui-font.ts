import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { UI_FONT_NAME } from './manifest.ts';

/** The stylesheet that this plugin fills. */
const STYLESHEET = 'src/app/ui-font.css';
/** The weights that the design uses; the rest of the variable font is left out. */
const WEIGHTS = { min: 400, max: 800, default: 400 } as const;
const SOURCE_FONT = 'pretendard/dist/web/variable/woff2/PretendardVariable.woff2';

/**
 * One font file with exactly the characters of the product's own texts, in every language: about 80 KB in one
 * preloaded request, where the ranges of the dynamic subset would be about 450 KB in 17 requests. Text that
 * people write falls back to those ranges.
 */
export function uiFont(): Plugin {
  let root = '';
  let isTest = false;
  return {
    name: 'ui-font',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      isTest = config.mode === 'test';
    },
    async load(id) {
      const stylesheet = path.join(root, STYLESHEET);
      if (isTest || id.split('?')[0] !== stylesheet) return;
      const characters = await ownCharacters(root);
      const font = await writeFont(root, characters);
      return fontFace(characters, path.relative(path.dirname(stylesheet), font));
    },
  };
}

/** Writes the font below .cache unless it is there, and answers its path. */
async function writeFont(root: string, characters: string): Promise<string> {
  const hash = createHash('sha256')
    .update(`${JSON.stringify(WEIGHTS)}${characters}`)
    .digest('hex');
  const folder = path.resolve(root, '../../.cache/ui-font', hash.slice(0, 16));
  const file = path.join(folder, `${UI_FONT_NAME}.woff2`);
  if (existsSync(file)) return file;
  const source = await readFile(createRequire(import.meta.url).resolve(SOURCE_FONT));
  const font = await subsetFont(source, characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
  });
  await mkdir(folder, { recursive: true });
  // An interrupted or parallel build never leaves half a font.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, font);
  await rename(draft, file);
  return file;
}

/** Every character that the product itself writes, sorted: texts, error texts, ASCII. */
async function ownCharacters(root: string): Promise<string> {
  const folder = path.join(root, 'src/shared/i18n');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const files = [
    ...names.map((name) => path.join(folder, name)),
    path.resolve(root, '../../packages/contract/src/errors.ts'),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
  const characters = new Set([...texts.join(''), ...ascii].filter((character) => character >= ' '));
  return [...characters].sort().join('');
}

function fontFace(characters: string, font: string): string {
  const range = [...characters].map((character) => `U+${character.codePointAt(0)?.toString(16)}`);
  return `@font-face {
  font-family: "Pretendard UI";
  font-style: normal;
  font-display: swap;
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  src: url("${font}") format("woff2");
  unicode-range: ${range.join(', ')};
}
`;
}
