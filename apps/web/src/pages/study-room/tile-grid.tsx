import { type CSSProperties, useCallback, useState } from 'react';
import type { Tile } from '../../features/media/room.ts';
import { gridLayout, TILE_GAP_PX } from '../../features/rooms/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RoomTile } from './room-tile.tsx';

interface TileGridProps {
  readonly tiles: readonly Tile[];
  readonly onHide: (identity: string, isHidden: boolean) => void;
}

/** Everybody's desk, as large as the window allows (specification §2: 1, 2, 4 or 5 columns). */
export function TileGrid({ tiles, onHide }: TileGridProps) {
  const { t } = useTranslation();
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const layout = gridLayout(size.widthPx, size.heightPx, tiles.length);
  const style: CSSProperties = {
    gap: TILE_GAP_PX,
    gridTemplateColumns: `repeat(${layout.columns}, ${layout.tileWidthPx}px)`,
  };
  return (
    <section
      aria-label={t('room.tiles')}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto px-3 pb-4 sm:px-5"
    >
      <div ref={measure} className="h-full min-h-[60dvh] lg:min-h-0">
        <ul
          data-testid="participant-grid"
          data-columns={layout.columns}
          className="grid min-h-full content-center justify-center"
          style={style}
        >
          {tiles.map((tile) => (
            <RoomTile key={tile.identity} tile={tile} onHide={onHide} />
          ))}
        </ul>
      </div>
    </section>
  );
}
