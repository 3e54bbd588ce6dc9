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

export type Columns = (typeof columnSteps)[number]['columns'];

export const TILE_GAP_PX = 12;
/** A picture of 640×360 looks poor beyond this. */
export const WIDEST_TILE_PX = 880;
const TILE_RATIO = 16 / 9;
/** A gain in size that is not worth fewer columns: neighbours would jump for nothing. */
const WORTHWHILE_GAIN = 1.25;

export interface GridLayout {
  readonly columns: Columns;
  readonly tileWidthPx: number;
}

/**
 * How the tiles of a room are laid out: as many columns as the width allows, or fewer where that
 * shows everybody at once and larger. More tiles than fit are scrolled to at the full width.
 */
export function gridLayout(widthPx: number, heightPx: number, tileCount: number): GridLayout {
  const allowed = columnSteps.filter((step) => step.fromWidthPx <= widthPx);
  let best = fullWidth(allowed.at(-1)?.columns ?? 1, widthPx);
  let bestFits = heightOf(best, tileCount) <= heightPx;
  if (!bestFits && allowed.length === 1) return best;
  for (const { columns } of allowed.toReversed()) {
    const candidate = fitted(columns, widthPx, heightPx, tileCount);
    const isReadable = candidate.tileWidthPx >= MIN_FITTED_TILE_PX;
    const isBetter = !bestFits || candidate.tileWidthPx > best.tileWidthPx * WORTHWHILE_GAIN;
    if (!isReadable || !isBetter) continue;
    best = candidate;
    bestFits = true;
  }
  return best;
}

/** Below this a face is no longer one: rather scroll. */
const MIN_FITTED_TILE_PX = 176;

function fullWidth(columns: Columns, widthPx: number): GridLayout {
  const share = (widthPx - (columns - 1) * TILE_GAP_PX) / columns;
  return { columns, tileWidthPx: Math.max(0, Math.min(share, WIDEST_TILE_PX)) };
}

function heightOf(layout: GridLayout, tileCount: number): number {
  const rows = Math.ceil(tileCount / layout.columns);
  return (rows * layout.tileWidthPx) / TILE_RATIO + (rows - 1) * TILE_GAP_PX;
}

function fitted(
  columns: Columns,
  widthPx: number,
  heightPx: number,
  tileCount: number,
): GridLayout {
  const rows = Math.max(1, Math.ceil(tileCount / columns));
  const widestByHeight = ((heightPx - (rows - 1) * TILE_GAP_PX) / rows) * TILE_RATIO;
  return {
    columns,
    tileWidthPx: Math.min(fullWidth(columns, widthPx).tileWidthPx, widestByHeight),
  };
}
