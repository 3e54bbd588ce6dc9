/**
 * The most tiles that may stand side by side (specification §2: 1, 2, 4 or 5), by the width of the
 * grid in CSS pixels.
 */
export const columnSteps = [
  { fromWidthPx: 0, columns: 1 },
  { fromWidthPx: 480, columns: 2 },
  { fromWidthPx: 880, columns: 4 },
  { fromWidthPx: 1200, columns: 5 },
] as const;

export const TILE_GAP_PX = 12;
/** A picture of 640×360 looks poor beyond this. */
export const WIDEST_TILE_PX = 880;
const TILE_RATIO = 16 / 9;
/** A gain in size that is not worth fewer columns: neighbours would jump for nothing. */
const WORTHWHILE_GAIN = 1.25;

/** Below this a face is no longer one: rather scroll. */
const MIN_FITTED_TILE_PX = 176;

export interface GridLayout {
  readonly columns: number;
  readonly tileWidthPx: number;
}

/**
 * How the tiles of a room are laid out: as many columns as the width allows, or fewer where that
 * shows everybody at once and larger. More tiles than fit are scrolled to at the full width.
 */
export function gridLayout(widthPx: number, heightPx: number, tileCount: number): GridLayout {
  const allowed = columnSteps.filter((step) => step.fromWidthPx <= widthPx).toReversed();
  const most = allowed[0]?.columns ?? 1;
  const scrolled = { columns: most, tileWidthPx: byWidthPx(most, widthPx) };
  if (allowed.length === 1) return scrolled;
  let best = byHeightPx(most, heightPx, tileCount) >= scrolled.tileWidthPx ? scrolled : null;
  for (const { columns } of allowed) {
    const tileWidthPx = Math.min(
      byWidthPx(columns, widthPx),
      byHeightPx(columns, heightPx, tileCount),
    );
    const isReadable = tileWidthPx >= MIN_FITTED_TILE_PX;
    const isBetter = best === null || tileWidthPx > best.tileWidthPx * WORTHWHILE_GAIN;
    if (isReadable && isBetter) best = { columns, tileWidthPx };
  }
  return best ?? scrolled;
}

/** How wide tiles may be that stand side by side. */
function byWidthPx(columns: number, widthPx: number): number {
  const share = (widthPx - (columns - 1) * TILE_GAP_PX) / columns;
  return Math.max(0, Math.min(share, WIDEST_TILE_PX));
}

/** How wide tiles may be that are all seen at once. */
function byHeightPx(columns: number, heightPx: number, tileCount: number): number {
  const rows = Math.max(1, Math.ceil(tileCount / columns));
  return ((heightPx - (rows - 1) * TILE_GAP_PX) / rows) * TILE_RATIO;
}
