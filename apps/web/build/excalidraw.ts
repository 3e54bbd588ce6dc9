import path from 'node:path';
import type { Plugin } from 'vite';
import missingKoreanTexts from '../src/features/board/excalidraw/replacements/missing-texts.ko.json' with {
  type: 'json',
};

/** Modules of the published bundle; Vite sometimes adds a query to their paths. */
const BUNDLE = /\/@excalidraw\/excalidraw\/dist\/prod\/[^?]+\.(?:js|css)(?:\?|$)/u;
/** Our replacements for modules that the board does not use. */
const REPLACED_MODULES = [
  // Subsets fonts with 1.8 MB of WebAssembly, which the content policy blocks.
  { request: /^\.\/subset-(?:shared|worker)\.chunk\.js$/u, file: 'whole-font.ts' },
  // Scale pictures with WebAssembly and with workers made of blobs.
  { request: /^(?:pica|image-blob-reduce)$/u, file: 'picture-scaler.ts' },
] as const;
/** The bundle has fifty languages, the product two. */
const OTHER_LANGUAGE = /^\.\/locales\/(?!ko-KR-|en-|percentages-)/u;
const KOREAN = /\/locales\/ko-KR-/u;

/** Functions of ours that the changed text calls, and the file of each. */
const IMPORTED = {
  pageFontFaces: 'replacements/page-font-faces.ts',
  mayTouch: 'may-touch.ts',
  paintable: 'painted-pixels.ts',
} as const;

interface Change {
  /** Matches the name of one file, which has the place to change. */
  readonly file: RegExp;
  readonly find: RegExp;
  readonly replacement: string;
}

/** The changes to the bundle's text. Each pattern must match, or the build fails. */
const CHANGES: readonly Change[] = [
  // No style attributes, which the policy blocks: styles are set through the object model.
  {
    file: /\/chunk-K/u,
    find: /\.setAttribute\("style","white-space: pre;"\)/u,
    replacement: '.style.whiteSpace="pre"',
  },
  // No worker cuts fonts to size: see above.
  { file: /\/chunk-K/u, find: /typeof Worker<"u"/u, replacement: '!1' },
  // Fonts become assets of the build. The two families replaced below are 13 MB.
  {
    file: /\/chunk-K/u,
    find: /"(\.\/fonts\/(?!Nunito|Xiaolai)[^"]+\.woff2)"/gu,
    replacement: 'new URL("$1",import.meta.url).href',
  },
  // The fonts of "normal" text and of the Hangul in hand-drawn text have the files of the font of our pages.
  {
    file: /\/chunk-K/u,
    find: /(\("Nunito",\.\.\.)\w+(\),\w+\("Virgil",\.\.\.\w+\),\w+\(\w+,\.\.\.)\w+/u,
    replacement: '$1pageFontFaces()$2pageFontFaces()',
  },
  // Our own code chooses which of the elements in view are drawn.
  {
    file: /\/index\.js/u,
    find: /(elementsMap:(\w+),zoom:(\w+),.{0,120}?\}\);return\{elementsMap:\w+,visibleElements:)(\w+)\}/u,
    replacement: '$1paintable($4,$2,$3.value*devicePixelRatio)}',
  },
  // Elements away from the pointer are not compared with it point by point, and the eraser takes eight places of
  // its way at each event, as near to each other as it reaches unless it is faster than 160 pixels.
  {
    file: /\/index\.js/u,
    find: /\?!0:(?=\w+\(\{x:(\w+),y:(\w+),element:(\w+),shape:[^}]+threshold:this\.getElementHitThreshold\(\),frame)/u,
    replacement: '?!0:mayTouch($3,$1,$2,this.getElementHitThreshold())&&',
  },
  {
    file: /\/index\.js/u,
    find: /(=)(this\.getElementHitThreshold\(\))(,\w+=\{\.\.\.\w+\.lastCoords\},\w+=0;for\(;\w+<=(\w+);)/u,
    replacement: '$1Math.max($2,$4/8)$3',
  },
  // The search ends at a hundred places: thousands in one long text stop the page for half a minute.
  {
    file: /\/index\.js/u,
    find: /(\w+)(=\[\],\w+=new RegExp\(.{0,120}?for\(;)(?=\(\w+=\w+\.exec)/u,
    replacement: '$1$2$1.length<100&&',
  },
  // The footer is not a landmark of the page, and a button is named by its visible text.
  { file: /\/index\.js/u, find: /role:"contentinfo",/u, replacement: '' },
  {
    file: /\/index\.js/u,
    find: /"aria-label":\w+\("buttons\.resetZoom"\),onClick/u,
    replacement: 'onClick',
  },
  // The colour picker is no modal dialog: the rest of the page stays usable.
  {
    file: /\/index\.js/u,
    find: /role:"dialog","aria-modal":"true",className:"color-picker-container"/u,
    replacement: 'className:"color-picker-container"',
  },
  // A window is named by its title.
  {
    file: /\/index\.js/u,
    find: /id:`\$\{\w+\}-dialog-title`/u,
    replacement: 'id:"dialog-title"',
  },
  // Its windows open inside the board, with the board's colours, font and shortcuts.
  {
    file: /\/index\.js/u,
    find: /className:"excalidraw-modal-container"/u,
    replacement: '$&,parentSelector:".excalidraw-contextMenuContainer"',
  },
  // Quieter colours of the pointers.
  { file: /\/index\.js/u, find: /, 100%, 83%\)/u, replacement: ', 42%, 74%)' },
  // The font of its buttons is ours as well.
  { file: /\/index\.css/u, find: /@font-face\{[^}]+\}/gu, replacement: '' },
  {
    file: /\/index\.css/u,
    find: /(font-family:|--ui-font: )Assistant\b/gu,
    replacement: '$1var(--font-sans)',
  },
];

/**
 * Makes Excalidraw part of our own site (decision 072): its fonts are assets of the build, it sends no
 * request to other sites, and it uses nothing that the content policy blocks.
 */
export function excalidraw(): Plugin {
  let folder = '';
  return {
    name: 'excalidraw',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root }) {
      folder = path.join(root, 'src/features/board/excalidraw');
    },
    resolveId: {
      order: 'pre',
      handler(request, importer) {
        if (importer === undefined || !BUNDLE.test(importer)) return null;
        const replaced = REPLACED_MODULES.find((each) => each.request.test(request));
        if (replaced) return path.join(folder, 'replacements', replaced.file);
        return OTHER_LANGUAGE.test(request)
          ? path.join(folder, 'replacements/no-language.ts')
          : null;
      },
    },
    transform: {
      order: 'pre',
      filter: { id: BUNDLE },
      handler(code, id) {
        let changed = code;
        for (const { find, replacement } of CHANGES.filter(({ file }) => file.test(id))) {
          if (!find.test(changed)) throw new Error(`Excalidraw has changed: no ${find} in ${id}`);
          changed = changed.replace(find, replacement);
        }
        for (const [name, file] of Object.entries(IMPORTED)) {
          if (!changed.includes(`${name}(`)) continue;
          const module = JSON.stringify(path.join(folder, file));
          changed = `import { ${name} } from ${module};\n${changed}`;
        }
        if (KOREAN.test(id)) changed += addedTexts(changed, missingKoreanTexts);
        return { code: changed, map: null };
      },
    },
  };
}

/** Adds texts, by groups, to a module of one language, which exports its groups. */
function addedTexts(module: string, texts: Readonly<Record<string, object>>): string {
  return Object.entries(texts)
    .map(([group, added]) => {
      const [, present] = new RegExp(`(\\w+) as ${group}\\b`, 'u').exec(module) ?? [];
      const json = JSON.stringify(added);
      return present
        ? `\nObject.assign(${present}, ${json});`
        : `\nexport const ${group} = ${json};`;
    })
    .join('');
}
