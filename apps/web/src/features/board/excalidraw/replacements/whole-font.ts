import { dataUrlOf } from '../../data-url.ts';

/**
 * In place of Excalidraw's module that cuts fonts to size (see build/excalidraw.ts): an exported SVG
 * holds whole files. Those of our own font are ranges of about 25 KB, of which it takes those it needs.
 */
export const Commands = {};

/** The source of a font, as an exported SVG names it. */
export function subsetToBase64(font: ArrayBuffer): Promise<string> {
  return dataUrlOf(new Blob([font], { type: 'font/woff2' }));
}

/** There is no worker, and nothing that one would answer. */
export const WorkerUrl = undefined;
export const toBase64 = undefined;
