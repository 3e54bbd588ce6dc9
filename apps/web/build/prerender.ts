import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { devPaths } from '../src/shared/lib/paths.ts';
import { APPLICATION_ENTRY, closure, isUiFont, readManifest } from './manifest.ts';

/** The script and style of prerendered pages, an entry of the build beside index.html. */
export const STATIC_PAGE_ENTRY = 'src/prerender/static-page.ts';

// The renderer runs inside Vite's module runner, outside this file's types; this is its answer.
interface RenderedPage {
  readonly path: string | null;
  readonly language: string;
  readonly file: string;
  readonly html: string;
  readonly isListed: boolean;
}

interface PageAssets {
  readonly script: string;
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  readonly font: string;
}

type FindAssets = (modules: readonly string[] | null, language: string) => PageAssets;

interface Renderer {
  renderPages(findAssets: FindAssets): Promise<RenderedPage[]>;
}

/**
 * After the build: writes every page as HTML, one file a language, and lists them in pages.json for the
 * server.
 */
export function prerender(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'prerender',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = path.resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const pages = await renderAll(root, await assetFinder(outDir));
      for (const { file, html } of pages) await writeFile(path.join(outDir, file), html);
      await rm(path.join(outDir, 'index.html'));
      await writeFile(path.join(outDir, 'pages.json'), JSON.stringify(pageList(pages), null, 2));
    },
  };
}

/** Finds the files that a page downloads in the manifest of the build. */
async function assetFinder(outDir: string): Promise<FindAssets> {
  const manifest = await readManifest(outDir);
  const font = Object.values(manifest).find((chunk) => isUiFont(chunk.file))?.file;
  if (!font) throw new Error('the manifest lacks the font of the pages');
  return (pageModules, language) => {
    const entries =
      pageModules === null
        ? [STATIC_PAGE_ENTRY]
        : [APPLICATION_ENTRY, `src/shared/i18n/common.${language}.json`, ...pageModules];
    const chunks = closure(manifest, entries);
    const files = chunks.map(({ file }) => `/${file}`);
    const script = files.find((file) => file === `/${manifest[entries[0] ?? '']?.file}`);
    const modules = files.filter((file) => file !== script);
    const styles = [...new Set(chunks.flatMap(({ css }) => css ?? []))].map((name) => `/${name}`);
    if (!script || styles.length === 0) throw new Error(`the manifest lacks ${entries[0]}`);
    return { script, modules, styles, font: `/${font}` };
  };
}

async function renderAll(root: string, findAssets: FindAssets): Promise<RenderedPage[]> {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    plugins: [react()],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const renderer = (await server.ssrLoadModule('/src/prerender/render.tsx')) as Renderer;
    return await renderer.renderPages(findAssets);
  } finally {
    await server.close();
  }
}

type FilePerLanguage = Record<string, string>;

/** The list that the server reads to answer page requests. */
function pageList(rendered: readonly RenderedPage[]) {
  const pages: Record<string, FilePerLanguage> = {};
  const notFound: FilePerLanguage = {};
  for (const { path: address, language, file } of rendered) {
    if (address === null) notFound[language] = file;
    else pages[address] = { ...pages[address], [language]: file };
  }
  const listed = rendered.flatMap((page) => (page.isListed && page.path ? [page.path] : []));
  return {
    publicUrlPlaceholder: '%PUBLIC_URL%',
    pages,
    /** Pages that search engines may list. */
    listed: [...new Set(listed)],
    devPaths: Object.values(devPaths),
    notFound,
  };
}
