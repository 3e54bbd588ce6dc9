/** The maximum number of columns (specification §2: 1, 2, 4 or 5), by the grid's width in CSS pixels. */
const columnSteps = [
  { fromWidthPx: 0, columns: 1 },
  { fromWidthPx: 480, columns: 2 },
  { fromWidthPx: 720, columns: 4 },
  { fromWidthPx: 1200, columns: 5 },
] as const;

/**
 * Limits on a phone: the width for two columns, and the numbers of tiles from which they are possible and
 * mandatory.
 */
const PHONE = { fromWidthPx: 288, pairedFromTiles: 3, alwaysFromTiles: 5, columns: 2 } as const;
/** A phone in landscape: in such a low window two columns would show a row and a half. */
const LOW = { belowHeightPx: 440, fromWidthPx: 600, columns: 4 } as const;
/** A picture of 640×360 looks poor beyond this. */
const WIDEST_TILE_PX = 880;
export const TILE_RATIO = 16 / 9;
/** A smaller gain in size is not worth fewer columns, except on a phone: neighbours would move for nothing. */
const WORTHWHILE_GAIN = 1.1;

/** Below this a face is unrecognisable: scroll instead, where that shows larger ones. */
const MIN_FITTED_TILE_PX = 176;

export interface GridLayout {
  readonly columns: number;
  readonly tileWidthPx: number;
}

/** The gap between tiles, and around them. */
export function tileGapPx(tileCount: number): number {
  return tileCount > 6 ? 8 : 12;
}

/**
 * The grid of a room: as many columns as the width allows, or fewer where that shows everybody at once and
 * larger, as one column does for up to four on a phone. More tiles than fit are scrolled at full width.
 */
export function gridLayout(widthPx: number, heightPx: number, tileCount: number): GridLayout {
  const most = mostColumns(widthPx, heightPx, tileCount);
  const fewest = isPhone(widthPx) && tileCount >= PHONE.alwaysFromTiles ? PHONE.columns : 1;
  const scrolled = { columns: most, tileWidthPx: byWidthPx(most, widthPx, tileCount) };
  const worthwhileGain = isPhone(widthPx) ? 1 : WORTHWHILE_GAIN;
  let best = byHeightPx(most, heightPx, tileCount) >= scrolled.tileWidthPx ? scrolled : null;
  for (const { columns } of columnSteps.toReversed()) {
    if (columns > most || columns < fewest) continue;
    const tileWidthPx = Math.min(
      byWidthPx(columns, widthPx, tileCount),
      byHeightPx(columns, heightPx, tileCount),
    );
    const isReadable = tileWidthPx >= Math.min(MIN_FITTED_TILE_PX, scrolled.tileWidthPx);
    const isBetter = best === null || tileWidthPx > best.tileWidthPx * worthwhileGain;
    if (isReadable && isBetter) best = { columns, tileWidthPx };
  }
  return best ?? scrolled;
}

function isPhone(widthPx: number): boolean {
  return widthPx >= PHONE.fromWidthPx && widthPx < columnSteps[1].fromWidthPx;
}

function mostColumns(widthPx: number, heightPx: number, tileCount: number): number {
  if (isPhone(widthPx) && tileCount >= PHONE.pairedFromTiles) return PHONE.columns;
  const isLow = heightPx < LOW.belowHeightPx && widthPx >= LOW.fromWidthPx;
  const byWidth = columnSteps.findLast((each) => each.fromWidthPx <= widthPx)?.columns ?? 1;
  return isLow ? Math.max(byWidth, LOW.columns) : byWidth;
}

/** The maximum width of tiles side by side. */
function byWidthPx(columns: number, widthPx: number, tileCount: number): number {
  const share = (widthPx - (columns - 1) * tileGapPx(tileCount)) / columns;
  return Math.max(0, Math.min(share, WIDEST_TILE_PX));
}

/** The maximum width of tiles that are all visible at once. */
function byHeightPx(columns: number, heightPx: number, tileCount: number): number {
  const rows = Math.max(1, Math.ceil(tileCount / columns));
  return ((heightPx - (rows - 1) * tileGapPx(tileCount)) / rows) * TILE_RATIO;
}

/** One large tile and the others as a strip. */
export interface EnlargedLayout {
  /** The strip is beside the large tile, or below it in a portrait window. */
  readonly strip: 'beside' | 'below';
  readonly largeWidthPx: number;
  /** Of the strip. */
  readonly columns: number;
  readonly tileWidthPx: number;
}

/** The minimum and maximum width of a tile of the strip beside the large one. */
const STRIP_TILE_PX = { least: 128, most: 240, scrolled: 160 } as const;
/** A longer strip is scrolled in two columns. */
const ONE_COLUMN_MAX = 8;
/** The large tile's share of the height above a strip. */
const LARGE_SHARE = 0.6;

/** The layout with the largest tile that leaves room for the strip. */
export function enlargedLayout(
  widthPx: number,
  heightPx: number,
  tileCount: number,
): EnlargedLayout {
  const gapPx = tileGapPx(tileCount);
  const others = tileCount - 1;
  if (others === 0 || widthPx > heightPx) return besideLayout(widthPx, heightPx, others, gapPx);
  const columns = others > 4 ? 3 : 2;
  return {
    strip: 'below',
    largeWidthPx: Math.min(widthPx, heightPx * LARGE_SHARE * TILE_RATIO),
    columns,
    tileWidthPx: Math.min((widthPx - (columns - 1) * gapPx) / columns, STRIP_TILE_PX.most),
  };
}

function besideLayout(
  widthPx: number,
  heightPx: number,
  others: number,
  gapPx: number,
): EnlargedLayout {
  const largest = (columns: number, tileWidthPx: number) => ({
    strip: 'beside' as const,
    largeWidthPx: Math.min(widthPx - columns * (tileWidthPx + gapPx), heightPx * TILE_RATIO),
    columns,
    tileWidthPx,
  });
  if (others === 0) return largest(0, 0);
  for (let columns = 1; columns <= 3; columns += 1) {
    const rows = Math.ceil(others / columns);
    const fittedPx = ((heightPx - (rows - 1) * gapPx) / rows) * TILE_RATIO;
    const tileWidthPx = Math.min(fittedPx, STRIP_TILE_PX.most, widthPx / 4);
    if (tileWidthPx >= STRIP_TILE_PX.least) return largest(columns, tileWidthPx);
  }
  const columns = others > ONE_COLUMN_MAX && widthPx > 900 ? 2 : 1;
  return largest(columns, Math.min(STRIP_TILE_PX.scrolled, widthPx / 4));
}
