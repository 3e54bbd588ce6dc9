import { Eye, EyeOff } from 'lucide-react';
import { memo } from 'react';
import { NameMenu } from '../../features/blocks/index.ts';
import { markOnce, VideoPicture } from '../../features/media/index.ts';
import type { Tile } from '../../features/media/room.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';

interface RoomTileProps {
  /** The learner who looks. */
  readonly selfId: number;
  readonly tile: Tile;
  readonly onHide: (identity: string, isHidden: boolean) => void;
}

const reasons: Readonly<Record<Exclude<Tile['view'], 'picture' | 'hidden'>, TextKey>> = {
  connecting: 'tile.connecting',
  starting: 'tile.starting',
  cameraOff: 'tile.cameraOff',
  connectionLost: 'tile.connectionLost',
  blocked: 'tile.blocked',
};

const NAME_PLATE =
  'block max-w-full truncate rounded-small bg-surface/85 px-2.5 py-1 font-semibold text-caption text-ink';

/** A learner's desk (specification §2): picture or the reason for none, name, and a hide control. */
export const RoomTile = memo(function RoomTile({ selfId, tile, onHide }: RoomTileProps) {
  const { t } = useTranslation();
  const shownName = tile.isSelf ? t('tile.self', { name: tile.name }) : tile.name;
  return (
    <li
      data-participant-identity={tile.identity}
      data-tile-view={tile.view}
      className="group relative aspect-video overflow-hidden rounded-medium border border-line bg-raised"
    >
      <TileContent tile={tile} onShow={() => onHide(tile.identity, false)} />
      <div className="pointer-events-none absolute inset-x-0 bottom-0 flex p-2">
        {tile.isSelf ? (
          <p className={NAME_PLATE}>{shownName}</p>
        ) : (
          <NameMenu
            selfId={selfId}
            userId={Number(tile.identity)}
            name={tile.name}
            className={`${NAME_PLATE} pointer-events-auto hover:bg-surface`}
          />
        )}
      </div>
      {tile.view !== 'hidden' && tile.view !== 'blocked' && (
        <HideButton name={shownName} onClick={() => onHide(tile.identity, true)} />
      )}
    </li>
  );
});

function isOnTheWay({ view }: Tile): boolean {
  return view === 'connecting' || view === 'starting';
}

interface TileContentProps {
  readonly tile: Tile;
  readonly onShow: () => void;
}

function TileContent({ tile, onShow }: TileContentProps) {
  const { t } = useTranslation();
  if (tile.view === 'hidden') {
    return (
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-3 pb-9 text-center">
        <p className="text-caption text-ink-soft">{t('tile.hidden', { name: tile.name })}</p>
        <Button size="small" icon={<Eye size={16} aria-hidden="true" />} onClick={onShow}>
          {t('tile.show')}
        </Button>
      </div>
    );
  }
  const isDimmed = tile.view !== 'picture';
  return (
    <>
      {tile.picture && (
        <div className={classNames('absolute inset-0', isDimmed && 'opacity-15 grayscale')}>
          <VideoPicture
            picture={tile.picture}
            isMirrored={tile.isSelf}
            onFirstFrame={tile.isSelf ? undefined : () => markOnce('room:first-remote-frame')}
          />
        </div>
      )}
      {tile.view !== 'picture' && (
        <div className="absolute inset-0 grid place-content-center justify-items-center gap-1.5 p-3 pb-8 text-center text-ink-soft">
          <Lamp light={isOnTheWay(tile) ? 'low' : 'off'} size={44} decorative />
          <p className="text-caption">{t(reasons[tile.view])}</p>
        </div>
      )}
    </>
  );
}

interface HideButtonProps {
  readonly name: string;
  readonly onClick: () => void;
}

/** Out of the way until the tile is pointed at or reached by keyboard; always there for touch. */
function HideButton({ name, onClick }: HideButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t('tile.hide', { name })}
      className="absolute top-1.5 right-1.5 grid size-9 place-items-center rounded-full bg-surface/85 text-ink transition-opacity focus-visible:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0"
      onClick={onClick}
    >
      <EyeOff size={17} aria-hidden="true" />
    </button>
  );
}
