import './tile.css';
import { isAbsent, type UserId } from '@mogakgong/contract';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, memo, Suspense, useRef } from 'react';
import { markOnce } from '../../features/media/performance-marks.ts';
import { VideoPicture } from '../../features/media/video-picture.tsx';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock, useTileClock } from '../../shared/today/today.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Desk } from '../../shared/ui/desk.tsx';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { useRoomView } from '../live/room-view.ts';
import { TilePlates } from './tile-plates.tsx';
import { type GridTile, isLost } from './tiles.ts';

/** Every learner is drawn the same. */
const PERSON = { hair: 'short', clothes: 'pine', work: 'book' } as const;

interface RoomTileProps {
  /** The viewing learner. */
  readonly selfId: UserId;
  readonly tile: GridTile;
  /** The tile is enlarged. */
  readonly isEnlarged?: boolean;
  /** Its learner has left: it fades out. */
  readonly isLeaving?: boolean;
  readonly onHide: (userId: UserId, isHidden: boolean) => void;
}

const reasons: Readonly<Record<Exclude<GridTile['view'], 'picture' | 'hidden'>, TextKey>> = {
  connecting: 'tile.connecting',
  starting: 'tile.starting',
  cameraOff: 'tile.cameraOff',
  paused: 'tile.paused',
  away: 'tile.away',
  connectionLost: 'tile.connectionLost',
};

/**
 * A learner's desk (specification §2): picture or the reason for none, name, status, clock and a hide
 * control. It is lit by its lamp.
 */
export const RoomTile = memo(function RoomTile(props: RoomTileProps) {
  const { selfId, isEnlarged = false, isLeaving = false, onHide } = props;
  const { t } = useTranslation();
  const isSelfHidden = useRoomView(
    ({ isSelfViewHidden }) =>
      isSelfViewHidden && props.tile.isSelf && props.tile.view === 'picture',
  );
  const isNodding = useRoomView(({ nodding }) => nodding === props.tile.userId);
  const isAway = useIsAbsent(props.tile);
  const tile: GridTile = isSelfHidden
    ? without(props.tile, 'hidden')
    : isAway
      ? without(props.tile, 'away')
      : props.tile;
  const ref = useRef<HTMLLIElement>(null);
  // The buttons to hide and show replace each other.
  useKeptFocus(ref, () =>
    ref.current?.querySelector<HTMLElement>('.tile-reason button, .tile-hide')?.focus(),
  );
  const hide = (isHidden: boolean) => {
    if (tile.isSelf) useRoomView.setState({ isSelfViewHidden: isHidden });
    else onHide(tile.userId, isHidden);
  };
  const isShown = tile.view !== 'hidden';
  return (
    <TileItem
      ref={ref}
      tile={tile}
      data-participant-identity={tile.userId}
      data-tile-view={tile.view}
      data-enlarged={isEnlarged ? '' : undefined}
      data-nodding={isNodding ? '' : undefined}
      data-leaving={isLeaving ? '' : undefined}
      inert={isLeaving}
      data-connection={isLost(tile) ? 'lost' : undefined}
      className="tile"
    >
      <TileContent tile={tile} onShow={() => hide(false)} />
      <div aria-hidden="true" className="tile-light" />
      {isShown && (
        <button
          type="button"
          data-enlarge
          aria-label={t('tile.enlarge', { name: tile.name })}
          aria-pressed={isEnlarged}
          className="tile-enlarge"
          onClick={() => useRoomView.setState({ enlarged: isEnlarged ? null : tile.userId })}
        />
      )}
      <TilePlates {...{ selfId, tile }} />
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
    </TileItem>
  );
});

const without = (tile: GridTile, view: GridTile['view']): GridTile => ({
  ...tile,
  view,
  picture: null,
});

/** Whether the tile shows that its learner is away, in the place of a picture. */
function useIsAbsent({ isSelf, clock, view }: GridTile): boolean {
  const isAbsentNow = useOwnClock((own) => isAbsent(isSelf ? clockOf(own) : clock));
  return isAbsentNow && (view === 'picture' || view === 'paused' || view === 'cameraOff');
}

/** The element that a learner's clock lights: the clock's change renders nothing else of the tile again. */
function TileItem({ tile, ...props }: ComponentProps<'li'> & { readonly tile: GridTile }) {
  return <li {...props} data-focus={useTileClock(tile)?.status} />;
}

interface TileContentProps {
  readonly tile: GridTile;
  readonly onShow: () => void;
}

function TileContent({ tile, onShow }: TileContentProps) {
  const { t } = useTranslation();
  const isMirrored = useRoomView((view) => tile.isSelf && view.isMirrored);
  if (tile.view === 'hidden') {
    return (
      <>
        <SmallDesk tile={tile} />
        <div className="tile-reason">
          <p className="text-caption @max-[11rem]:sr-only">
            {tile.isSelf ? t('tile.hiddenSelf') : t('tile.hidden', { name: tile.name })}
          </p>
          <Button size="small" icon={Eye} onClick={onShow}>
            {t('tile.show')}
          </Button>
        </div>
      </>
    );
  }
  const isDimmed = tile.view !== 'picture';
  // The picture is about to come: a drawing would only flicker.
  const isExpected = tile.view === 'starting' || tile.view === 'connecting';
  return (
    <>
      {/* It is below the picture until its first frame. */}
      {tile.view === 'picture' && (
        <span className="tile-reason">
          <Lamp light="low" size={40} />
        </span>
      )}
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
      {tile.view === 'picture' && tile.isSelf && (
        <span className="tile-reason pointer-events-none">
          <p role="status" className={tile.isUnseen ? 'text-caption' : 'sr-only'}>
            {tile.isUnseen && t('tile.unseen')}
          </p>
        </span>
      )}
      {tile.view !== 'picture' && (
        <>
          {!isExpected && <SmallDesk tile={tile} />}
          <div className="tile-reason">
            {isExpected && <Lamp light="low" size={40} />}
            {tile.view === 'cameraOff' && tile.member && (
              <span className="tile-big-avatar">
                <Avatar name={tile.name} size={56} image={tile.member.profileImage} />
              </span>
            )}
            <p
              key={tile.view}
              className={classNames('text-caption', tile.view === 'connectionLost' && 'said-late')}
            >
              {t(tile.view === 'away' && tile.isSelf ? 'tile.awaySelf' : reasons[tile.view])}
            </p>
          </div>
        </>
      )}
    </>
  );
}

/** The drawn desk instead of a picture, without a person after a loss. */
function SmallDesk({ tile }: Omit<TileContentProps, 'onShow'>) {
  const isEmpty = tile.view === 'connectionLost';
  // Their profile picture is shown instead.
  const hasAvatar = tile.view === 'cameraOff';
  const status = useTileClock(tile)?.status;
  return (
    <span className="tile-desk">
      <Suspense>
        <Desk light={isEmpty ? 'off' : lightOf(status)} empty={isEmpty || hasAvatar} {...PERSON} />
      </Suspense>
    </span>
  );
}
