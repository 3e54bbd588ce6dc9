import type { FocusClock, TodayGoal, UserId } from '@mogakgong/contract';
import { Eye, EyeOff } from 'lucide-react';
import { memo } from 'react';
import type { OwnTimerView } from '../../features/focus/index.ts';
import { markOnce, VideoPicture } from '../../features/media/index.ts';
import { useRoomView } from '../../features/rooms/room-view.ts';
import type { Tile } from '../../room/tiles.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Lamp, type LampLight, lightOf } from '../../shared/ui/lamp.tsx';
import { isLost, TilePlates } from './tile-plates.tsx';

interface RoomTileProps {
  /** The learner who looks. */
  readonly selfId: UserId;
  readonly tile: Tile;
  /** The timer of who looks, on their own tile only. */
  readonly own?: OwnTimerView | null;
  /** Their goal of today, on their own tile only. */
  readonly ownGoal?: TodayGoal | null;
  /** It stands large before the others. */
  readonly isEnlarged?: boolean;
  readonly onHide: (identity: string, isHidden: boolean) => void;
}

const reasons: Readonly<Record<Exclude<Tile['view'], 'picture' | 'hidden'>, TextKey>> = {
  connecting: 'tile.connecting',
  starting: 'tile.starting',
  cameraOff: 'tile.cameraOff',
  paused: 'tile.paused',
  connectionLost: 'tile.connectionLost',
  blocked: 'tile.blocked',
};

/**
 * A learner's desk (specification §2): picture or the reason for none, name, status, clock and a hide
 * control. It stands in the light of its lamp.
 */
export const RoomTile = memo(function RoomTile(props: RoomTileProps) {
  const { selfId, own = null, ownGoal = null, isEnlarged = false, onHide } = props;
  const { t } = useTranslation();
  const isSelfHidden = useRoomView(
    ({ isSelfViewHidden }) =>
      isSelfViewHidden && props.tile.isSelf && props.tile.view === 'picture',
  );
  const tile: Tile = isSelfHidden ? { ...props.tile, view: 'hidden', picture: null } : props.tile;
  const hide = (isHidden: boolean) => {
    if (tile.isSelf) useRoomView.setState({ isSelfViewHidden: isHidden });
    else onHide(tile.identity, isHidden);
  };
  const isShown = tile.view !== 'hidden' && tile.view !== 'blocked';
  const clock = own?.clock ?? tile.member?.clock ?? null;
  return (
    <li
      data-participant-identity={tile.identity}
      data-tile-view={tile.view}
      data-focus={clock?.status}
      data-enlarged={isEnlarged ? '' : undefined}
      data-connection={isLost(tile) ? 'lost' : undefined}
      className="tile"
    >
      <TileContent tile={tile} clock={clock} onShow={() => hide(false)} />
      <div aria-hidden="true" className="tile-light" />
      {isShown && (
        <button
          type="button"
          data-enlarge
          aria-label={t('tile.enlarge', { name: tile.name })}
          aria-pressed={isEnlarged}
          className="tile-enlarge"
          onClick={() => useRoomView.setState({ enlarged: isEnlarged ? null : tile.identity })}
        />
      )}
      <TilePlates {...{ selfId, tile, clock, own, ownGoal }} />
      {isShown && (
        <IconButton
          icon={EyeOff}
          label={tile.isSelf ? t('tile.hideSelf') : t('tile.hide', { name: tile.name })}
          variant="overPicture"
          size="small"
          className="tile-hide"
          onClick={() => hide(true)}
        />
      )}
    </li>
  );
});

interface TileContentProps {
  readonly tile: Tile;
  readonly clock: FocusClock | null;
  readonly onShow: () => void;
}

function TileContent({ tile, clock, onShow }: TileContentProps) {
  const { t } = useTranslation();
  const isMirrored = useRoomView((view) => tile.isSelf && view.isMirrored);
  if (tile.view === 'hidden') {
    return (
      <div className="tile-reason">
        <p className="text-caption text-ink-soft">
          {tile.isSelf ? t('tile.hiddenSelf') : t('tile.hidden', { name: tile.name })}
        </p>
        <Button size="small" icon={Eye} onClick={onShow}>
          {t('tile.show')}
        </Button>
      </div>
    );
  }
  const isDimmed = tile.view !== 'picture';
  return (
    <>
      {tile.picture && (
        <div
          className={classNames(
            'tile-picture absolute inset-0',
            isDimmed && 'opacity-15 grayscale',
          )}
        >
          <VideoPicture
            picture={tile.picture}
            isMirrored={isMirrored}
            onFirstFrame={tile.isSelf ? undefined : () => markOnce('room:first-remote-frame')}
          />
        </div>
      )}
      {tile.view !== 'picture' && (
        <div className="tile-reason text-ink-soft">
          <span className="tile-big-lamp">
            {tile.view === 'cameraOff' && tile.member ? (
              <Avatar name={tile.name} size={56} image={tile.member.profileImage} />
            ) : (
              <Lamp light={lampWithoutPicture(tile, clock)} size={56} />
            )}
          </span>
          <p className="text-caption">{t(reasons[tile.view])}</p>
        </div>
      )}
    </>
  );
}

/** Without a picture the lamp alone shows how it goes; before anything is known it is being lit. */
function lampWithoutPicture({ view }: Tile, clock: FocusClock | null): LampLight {
  if (view === 'connectionLost') return 'off';
  if (clock !== null) return lightOf(clock.status);
  return view === 'connecting' || view === 'starting' ? 'low' : 'off';
}
