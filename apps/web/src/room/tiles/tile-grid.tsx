import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import type { RoomLive } from '../live/room-live.ts';
import { useRoomView } from '../live/room-view.ts';
import { enlargedLayout, gridLayout, TILE_RATIO, tileGapPx } from './grid-layout.ts';
import { RoomTile } from './room-tile.tsx';
import { type GridTile, isInGrid } from './tiles.ts';

interface TileGridProps {
  readonly live: Pick<RoomLive, 'userId' | 'store' | 'setHidden'>;
  /** Shown to a learner alone in the room. */
  readonly aloneHint: ReactNode;
}

/** Height of the text under a lone tile. */
const HINT_HEIGHT_PX = 56;

/**
 * All desks, as large as the window allows (specification §2: 1, 2, 4 or 5 columns), or one of them enlarged
 * and the others as a strip. Tiles move by style alone: no picture restarts.
 */
export function TileGrid({ live, aloneHint }: TileGridProps) {
  const { t } = useTranslation();
  const seated = useStore(live.store, (room) => room.tiles);
  const present = useMemo(() => seated.filter(isInGrid), [seated]);
  const { tiles, leaving } = useLeaving(present);
  const isConnected = useStore(live.store, ({ media }) => media.state.kind === 'connected');
  const wanted = useRoomView((view) => view.enlarged);
  const enlarged = tiles.some(({ userId }) => userId === wanted) ? wanted : null;
  // Leaving ends the enlargement, also for a later return; an outage removes nobody.
  useEffect(() => {
    if (isConnected && enlarged === null) useRoomView.setState({ enlarged: null });
  }, [isConnected, enlarged]);
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ widthPx: entry.contentRect.width, heightPx: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const isAlone = seated.length === 1;
  const gapPx = tileGapPx(tiles.length);
  const { columns, style } = gridStyle(
    { ...size, heightPx: size.heightPx - (isAlone ? HINT_HEIGHT_PX : 0) },
    tiles.length,
    enlarged !== null,
  );
  return (
    <section
      aria-label={t('room.tiles')}
      className="room-floor"
      style={{ padding: gapPx, '--glow': glowOf(present) } as CSSProperties}
    >
      <div ref={measure} className="tile-area">
        <ul
          data-testid="participant-grid"
          data-columns={columns}
          data-enlarged={enlarged === null ? undefined : ''}
          data-unmeasured={size.widthPx === 0 ? '' : undefined}
          className="tiles"
          style={{ ...style, gap: gapPx }}
        >
          {tiles.map((tile) => (
            <RoomTile
              key={tile.userId}
              selfId={live.userId}
              tile={tile}
              isEnlarged={tile.userId === enlarged}
              isLeaving={leaving.has(tile)}
              onHide={live.setHidden}
            />
          ))}
        </ul>
        {isAlone && (
          <div
            className={classNames(
              'mt-3 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-balance text-center text-ink-soft text-small sm:flex-nowrap',
              !isConnected && 'invisible',
            )}
          >
            {aloneHint}
          </div>
        )}
      </div>
    </section>
  );
}

/** As tile.css. */
const LEAVING_MS = 200;

/** The drawn tiles: the tile of a leaving learner fades out before the others move together. */
function useLeaving(present: readonly GridTile[]) {
  const [tiles, setTiles] = useState(present);
  const stay = new Map(present.map((tile) => [tile.userId, tile]));
  const leaving = new Set(tiles.filter(({ userId }) => !stay.has(userId)));
  const isLeaving = leaving.size > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!isLeaving && tiles !== present) setTiles(present);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => setTiles(present), LEAVING_MS);
    return () => clearTimeout(timer);
  }, [present, isLeaving]);
  if (!isLeaving) return { tiles: present, leaving };
  const kept = tiles.map((tile) => stay.get(tile.userId) ?? tile);
  const came = present.filter(({ userId }) => !tiles.some((tile) => tile.userId === userId));
  return { tiles: [...kept, ...came], leaving };
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The tiles' layout as style properties that room.css reads. */
function gridStyle({ widthPx, heightPx }: Size, tileCount: number, hasEnlarged: boolean) {
  if (!hasEnlarged) {
    const { columns, tileWidthPx } = gridLayout(widthPx, heightPx, tileCount);
    const rowPx = columns * tileWidthPx + (columns - 1) * tileGapPx(tileCount);
    // Half a pixel more: rounding must not push the last tile of a row into the next.
    const style = { '--tile-width': `${tileWidthPx}px`, maxWidth: rowPx + 0.5 };
    return { columns, style: style as CSSProperties };
  }
  const layout = enlargedLayout(widthPx, heightPx, tileCount);
  const strip = `repeat(${layout.columns}, ${layout.tileWidthPx}px)`;
  const isBeside = layout.strip === 'beside';
  const style = {
    '--tile-width': `${layout.tileWidthPx}px`,
    '--large-width': `${layout.largeWidthPx}px`,
    '--large-top': `${isBeside ? Math.max(0, (heightPx - layout.largeWidthPx / TILE_RATIO) / 2) : 0}px`,
    '--large-column': isBeside ? '1' : '1 / -1',
    '--large-row': isBeside
      ? `1 / span ${Math.ceil((tileCount - 1) / Math.max(1, layout.columns)) + 1}`
      : '1',
    gridTemplateColumns:
      layout.columns === 0
        ? 'var(--large-width)'
        : isBeside
          ? `var(--large-width) ${strip}`
          : strip,
  };
  return { columns: layout.columns, style: style as CSSProperties };
}

/**
 * The room's glow by the number of lit lamps: in fifths, so that it changes in steps and not with every
 * learner.
 */
function glowOf(tiles: readonly GridTile[]): string {
  const lit = tiles.filter(({ clock }) => clock?.status === 'focus');
  const fifths = Math.ceil((5 * lit.length) / Math.max(1, tiles.length));
  return fifths === 0 ? '0%' : `${1 + 2 * fifths}%`;
}
