import type { TodayGoal } from '@mogakgong/contract';
import { type CSSProperties, useCallback, useState } from 'react';
import { useStore } from 'zustand';
import type { OwnTimerView } from '../../features/focus/index.ts';
import { gridLayout, TILE_GAP_PX } from '../../features/rooms/grid-layout.ts';
import type { RoomLive } from '../../room/room-live.ts';
import type { Tile } from '../../room/tiles.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RoomTile } from './room-tile.tsx';

interface TileGridProps {
  readonly live: Pick<RoomLive, 'userId' | 'store' | 'setHidden'>;
  /** The timer of who looks. */
  readonly own: OwnTimerView;
  /** Their goal of today; null until it is known. */
  readonly goal: TodayGoal | null;
}

/** Room for the words under a lone tile. */
const HINT_HEIGHT_PX = 56;

/** Everybody's desk, as large as the window allows (specification §2: 1, 2, 4 or 5 columns). */
export function TileGrid({ live, own, goal }: TileGridProps) {
  const { t } = useTranslation();
  const tiles = useStore(live.store, (room) => room.tiles);
  const isConnected = useStore(live.store, ({ media }) => media.state.kind === 'connected');
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
      data-lit={litDesks(tiles, own)}
      className="room-floor min-h-0 min-w-0 flex-1 overflow-y-auto px-4 pt-3 pb-24 sm:px-6 lg:has-[~[data-chat-dock]]:pb-4"
    >
      <div ref={measure} className="grid h-full min-h-[60dvh] content-center-safe lg:min-h-0">
        <ul
          data-testid="participant-grid"
          data-columns={layout.columns}
          className="grid justify-center"
          style={style}
        >
          {tiles.map((tile) => (
            <RoomTile
              key={tile.identity}
              selfId={live.userId}
              tile={tile}
              own={tile.isSelf ? own : null}
              ownGoal={tile.isSelf ? goal : null}
              onHide={live.setHidden}
            />
          ))}
        </ul>
        {tiles.length === 1 && isConnected && (
          <p className="mt-4 text-center text-ink-soft text-small">{t('room.alone')}</p>
        )}
      </div>
    </section>
  );
}

/** How much of the room is lit, in fifths, so that its glow changes in steps and not with everybody. */
function litDesks(tiles: readonly Tile[], own: OwnTimerView): number {
  const lit = tiles.filter(({ isSelf, member }) => {
    return (isSelf ? own : member)?.clock?.status === 'focus';
  });
  return Math.ceil((5 * lit.length) / Math.max(1, tiles.length));
}
