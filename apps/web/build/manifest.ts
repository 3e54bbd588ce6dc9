import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest } from 'vite';

/** The document of the application. */
export const APPLICATION_ENTRY = 'index.html';

/** The name of the font of the product's own texts, before its hash. */
export const UI_FONT_NAME = 'ui-font';

/** Whether a built file is that font. */
export function isUiFont(file: string): boolean {
  return path.basename(file).startsWith(UI_FONT_NAME) && file.endsWith('.woff2');
}

/** The list of the built files, by their sources. */
export async function readManifest(outDir: string): Promise<Manifest> {
  const text = await readFile(path.join(outDir, '.vite/manifest.json'), 'utf8');
  return JSON.parse(text) as Manifest;
}

/**
 * The chunks of these modules and their static imports. Imported chunks come first, as their styles must: the
 * first style that names a layer ranks it.
 */
export function closure(manifest: Manifest, entries: readonly string[]) {
  const seen = new Set<string>();
  const chunksOf = (key: string): Manifest[string][] => {
    if (seen.has(key)) return [];
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    return [...(chunk.imports ?? []).flatMap(chunksOf), chunk];
  };
  return entries.flatMap(chunksOf);
}
