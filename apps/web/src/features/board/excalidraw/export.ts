import { exportToBlob, exportToSvg, serializeAsJSON } from '@excalidraw/excalidraw';
import type { ExcalidrawImperativeAPI } from '@excalidraw/excalidraw/types';

/** What a board can be kept as. */
export type ExportKind = 'png' | 'svg' | 'json';

const PADDING_PX = 24;
/** A picture for screens of two pixels a point, as far as browsers have canvases that large. */
const SCALE = 2;
const CANVAS_MAX_PX = 8_192;

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
    const getDimensions = (width: number, height: number) => {
      const scale = Math.min(SCALE, CANVAS_MAX_PX / Math.max(width, height));
      return { width: width * scale, height: height * scale, scale };
    };
    return exportToBlob({ ...options, getDimensions, mimeType: 'image/png' });
  }
  if (kind === 'svg') {
    const svg = await exportToSvg(options);
    return new Blob([svg.outerHTML], { type: 'image/svg+xml' });
  }
  return new Blob([serializeAsJSON(elements, appState, files, 'local')], {
    type: 'application/json',
  });
}
