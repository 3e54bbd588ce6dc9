import {
  exportToBlob,
  exportToSvg,
  getCommonBounds,
  serializeAsJSON,
} from '@excalidraw/excalidraw';
import type { ExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import type { ExcalidrawImperativeAPI } from '@excalidraw/excalidraw/types';
import { isLabelled } from './painted-pixels.ts';

/** The formats in which a board can be saved. */
export type ExportKind = 'png' | 'svg' | 'json';

const PADDING_PX = 24;
/** A picture for screens of two pixels a point, as far as browsers have canvases that large. */
const SCALE = 2;
const CANVAS_MAX_PX = 8_192;
/** Of the pictures of all labelled arrows, each a square: painting them takes about two seconds. */
const LABELS_MAX_PIXELS = 100_000_000;
/** Around an arrow in its picture, in pixels of the board. */
const LABEL_MARGIN = 400;

/** The drawing as a file; null where nothing is drawn. */
export async function exported(
  api: ExcalidrawImperativeAPI,
  kind: ExportKind,
): Promise<Blob | null> {
  const elements = api.getSceneElements();
  const files = api.getFiles();
  if (elements.length === 0) return null;
  // On white paper, whatever the theme.
  const appState = { exportBackground: true, viewBackgroundColor: '#ffffff' };
  const options = { elements, files, appState, exportPadding: PADDING_PX };
  if (kind === 'png') {
    const scale = pictureScale(elements);
    return exportToBlob({
      ...options,
      mimeType: 'image/png',
      getDimensions: (width: number, height: number) => ({
        width: width * scale,
        height: height * scale,
        scale,
      }),
      // That of the pictures of labelled arrows.
      appState: { ...appState, exportScale: scale },
    });
  }
  if (kind === 'svg') {
    const svg = await exportToSvg(options);
    const text = new XMLSerializer().serializeToString(svg);
    return new Blob([text], { type: 'image/svg+xml' });
  }
  return new Blob([serializeAsJSON(elements, appState, files, 'local')], {
    type: 'application/json',
  });
}

/** Pixels of the picture of a drawing in one of the board. */
export function pictureScale(elements: readonly ExcalidrawElement[]): number {
  const [left, top, right, bottom] = getCommonBounds(elements);
  const side = Math.max(right - left, bottom - top) + 2 * PADDING_PX;
  const pixels = elements
    .filter(isLabelled)
    .reduce((sum, arrow) => sum + (diagonalOf(arrow) + LABEL_MARGIN) ** 2, 0);
  return Math.min(SCALE, CANVAS_MAX_PX / side, Math.sqrt(LABELS_MAX_PIXELS / pixels));
}

function diagonalOf(element: ExcalidrawElement): number {
  const [left, top, right, bottom] = getCommonBounds([element]);
  return Math.hypot(right - left, bottom - top);
}
