import { type CSSProperties, useCallback, useState } from 'react';
import type { Tile } from '../../features/media/room.ts';
import { gridLayout, TILE_GAP_PX } from '../../features/rooms/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RoomTile } from './room-tile.tsx';

interface TileGridProps {
  /** The learner who looks. */
  readonly selfId: number;
  readonly isConnected: boolean;
  readonly tiles: readonly Tile[];
  readonly onHide: (identity: string, isHidden: boolean) => void;
}

/** Room for the words under a lone tile. */
const HINT_HEIGHT_PX = 56;

/** Everybody's desk, as large as the window allows (specification §2: 1, 2, 4 or 5 columns). */
export function TileGrid({ selfId, isConnected, tiles, onHide }: TileGridProps) {
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

  const layout = gridLayout(
    size.widthPx,
    size.heightPx - (tiles.length === 1 ? HINT_HEIGHT_PX : 0),
    tiles.length,
  );
  const style: CSSProperties = {
    gap: TILE_GAP_PX,
    gridTemplateColumns: `repeat(${layout.columns}, ${layout.tileWidthPx}px)`,
  };
  return (
    <section
      aria-label={t('room.tiles')}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto px-4 pb-4 sm:px-6"
    >
      <div ref={measure} className="grid h-full min-h-[60dvh] content-center lg:min-h-0">
        <ul
          data-testid="participant-grid"
          data-columns={layout.columns}
          className="grid justify-center"
          style={style}
        >
          {tiles.map((tile) => (
            <RoomTile key={tile.identity} selfId={selfId} tile={tile} onHide={onHide} />
          ))}
        </ul>
        {tiles.length === 1 && isConnected && (
          <p className="mt-4 text-center text-ink-soft text-small">{t('room.alone')}</p>
        )}
      </div>
    </section>
  );
}
