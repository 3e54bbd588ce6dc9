import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** Import this to have the font of the product's own texts. */
const MODULE_NAME = 'virtual:ui-font.css';
/** Name of the built font before its hash. */
const FONT_NAME = 'ui-font';
/** The weights that the design uses; the rest of the variable font is left out. */
const WEIGHTS = { min: 400, max: 800, default: 400 } as const;
const SOURCE_FONT = 'pretendard/dist/web/variable/woff2/PretendardVariable.woff2';

/**
 * One font file that holds exactly the characters of the product's own texts, in every language:
 * about 80 KB in one preloaded request, where the ranges of the dynamic subset that the same texts
 * touch are about 450 KB in 17. What people write themselves falls back to those ranges.
 */
export function uiFont(): Plugin {
  let root = '';
  let isTest = false;
  let stylesheet: Promise<string> | undefined;
  return {
    name: 'ui-font',
    configResolved(config) {
      root = config.root;
      isTest = config.mode === 'test';
    },
    resolveId(id) {
      if (id !== MODULE_NAME) return;
      if (isTest) return `\0${MODULE_NAME}`;
      stylesheet ??= writeFont(root);
      return stylesheet;
    },
    load: (id) => (id === `\0${MODULE_NAME}` ? '' : undefined),
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find(isUiFont);
        if (!font) return;
        const attrs = {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          href: `/${font}`,
          crossorigin: '',
        };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** Whether a built file is the font of the product's own texts. */
export function isUiFont(file: string): boolean {
  return path.basename(file).startsWith(FONT_NAME) && file.endsWith('.woff2');
}

/** Writes font and stylesheet below .cache unless they are there, and answers the stylesheet's path. */
async function writeFont(root: string): Promise<string> {
  const characters = await ownCharacters(root);
  const hash = createHash('sha256')
    .update(`${JSON.stringify(WEIGHTS)}${characters}`)
    .digest('hex');
  const folder = path.resolve(root, '../../.cache/ui-font', hash.slice(0, 16));
  const stylesheet = path.join(folder, `${FONT_NAME}.css`);
  const isWritten = await readFile(stylesheet).then(
    () => true,
    () => false,
  );
  if (isWritten) return stylesheet;
  const source = await readFile(createRequire(import.meta.url).resolve(SOURCE_FONT));
  const font = await subsetFont(source, characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
  });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${FONT_NAME}.woff2`), font);
  await writeFile(stylesheet, fontFace(characters));
  return stylesheet;
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

function fontFace(characters: string): string {
  const range = [...characters].map((character) => `U+${character.codePointAt(0)?.toString(16)}`);
  return `@font-face {
  font-family: "Pretendard UI";
  font-style: normal;
  font-display: swap;
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  src: url("./${FONT_NAME}.woff2") format("woff2");
  unicode-range: ${range.join(', ')};
}
`;
}
