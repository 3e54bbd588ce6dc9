import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Manifest, type Plugin } from 'vite';
import { devPaths, paths } from '../src/shared/lib/paths.ts';
import { isUiFont } from './ui-font.ts';

/** The script and style of prerendered pages, an entry of the build beside index.html. */
export const STATIC_PAGE_ENTRY = 'src/prerender/static-page.ts';

// The renderer runs inside Vite's module runner, outside this file's types: what it answers.
interface RenderedFile {
  readonly path: string | null;
  readonly language: string;
  readonly file: string;
  readonly html: string;
}

interface PageAssets {
  readonly script: string;
  readonly styles: readonly string[];
  readonly font: string;
}

interface Renderer {
  renderPages(assets: PageAssets): RenderedFile[];
}

/**
 * After the build: writes the open pages as finished HTML, one file a language, names the
 * application's page app.html, and lists all of it in pages.json for the server.
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
      const files = await renderAll(root, await pageAssets(outDir));
      for (const { file, html } of files) await writeFile(path.join(outDir, file), html);
      await rename(path.join(outDir, 'index.html'), path.join(outDir, 'app.html'));
      await writeFile(path.join(outDir, 'pages.json'), JSON.stringify(pageList(files), null, 2));
    },
  };
}

async function pageAssets(outDir: string): Promise<PageAssets> {
  const text = await readFile(path.join(outDir, '.vite/manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const styles = new Set<string>();
  const collect = (key: string): void => {
    const chunk = manifest[key];
    for (const name of chunk?.css ?? []) styles.add(`/${name}`);
    for (const imported of chunk?.imports ?? []) collect(imported);
  };
  collect(STATIC_PAGE_ENTRY);
  const script = manifest[STATIC_PAGE_ENTRY]?.file;
  const font = Object.values(manifest).find((chunk) => isUiFont(chunk.file))?.file;
  if (!script || !font || styles.size === 0) {
    throw new Error('the manifest lacks the script, the style or the font of prerendered pages');
  }
  return { script: `/${script}`, styles: [...styles], font: `/${font}` };
}

async function renderAll(root: string, assets: PageAssets): Promise<RenderedFile[]> {
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
    return renderer.renderPages(assets);
  } finally {
    await server.close();
  }
}

/** What the server reads to answer page requests. */
function pageList(files: readonly RenderedFile[]) {
  const prerendered: Record<string, Record<string, string>> = {};
  const notFound: Record<string, string> = {};
  for (const { path: address, language, file } of files) {
    if (address === null) notFound[language] = file;
    else prerendered[address] = { ...prerendered[address], [language]: file };
  }
  return {
    publicUrlPlaceholder: '%PUBLIC_URL%',
    languageCookie: 'mogakgong.language',
    prerendered,
    notFound,
    application: 'app.html',
    applicationPaths: Object.values(paths).filter((address) => !(address in prerendered)),
    devPaths: Object.values(devPaths),
  };
}
