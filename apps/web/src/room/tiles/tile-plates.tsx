import './tile-plates.css';
import type { UserId } from '@mogakgong/contract';
import { Suspense } from 'react';
import { FocusClockText } from '../../features/focus/focus-clock.tsx';
import { StatusButton } from '../../features/focus/focus-controls.tsx';
import { TitleBadge } from '../../features/titles/title-badge.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTileClock } from '../../shared/today/today.ts';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { LearnerName, OwnName } from './learner-name.tsx';
import { isLost, type Tile } from './tiles.ts';

/** Downloaded after the room. */
const FriendMark = onDemand(
  async () => (await import('../../features/friends/friend-mark.tsx')).FriendMark,
  { isQuiet: true },
);
/** Downloaded with the first visible goal, if not before. */
const OthersGoalRing = onDemand(async () => (await import('../late-parts.ts')).OthersGoalRing, {
  isQuiet: true,
});
const OthersTask = onDemand(async () => (await import('../late-parts.ts')).OthersTask, {
  isQuiet: true,
});

interface TilePlatesProps {
  /** The viewing learner. */
  readonly selfId: UserId;
  readonly tile: Tile;
}

/** A learner's name and clock: two plates on a large tile, one slim line on a small one (tile-plates.css). */
export function TilePlates(props: TilePlatesProps) {
  const { selfId, tile } = props;
  const { member } = tile;
  return (
    <div className="tile-line">
      <ClockPlate tile={tile} />
      <div className="tile-plate tile-owner">
        <span className="tile-lamp">
          <TileLamp tile={tile} />
        </span>
        <div className="tile-names">
          {member?.title && (
            <p className="tile-title flex text-tiny text-lamp-ink">
              <TitleBadge title={member.title} iconSize={14} />
            </p>
          )}
          <div className="tile-name flex items-center gap-1">
            {tile.isSelf ? (
              <OwnName name={tile.name} />
            ) : (
              <>
                <LearnerName
                  selfId={selfId}
                  userId={tile.userId}
                  name={tile.name}
                  className="pointer-events-auto"
                />
                <FriendMark selfId={selfId} userId={tile.userId} />
              </>
            )}
          </div>
          {member?.subject && (
            <p className="tile-task tile-subject truncate text-tiny">{member.subject}</p>
          )}
          {!tile.isSelf && member?.goal && <OthersTask goal={member.goal} />}
        </div>
        {!tile.isSelf && member?.goal && (
          <span className="tile-ring">
            <Suspense>
              <OthersGoalRing goal={member.goal} />
            </Suspense>
          </span>
        )}
      </div>
    </div>
  );
}

type TileProps = Pick<TilePlatesProps, 'tile'>;

function TileLamp({ tile }: TileProps) {
  const clock = useTileClock(tile);
  return <Lamp light={isLost(tile) ? 'off' : lightOf(clock?.status)} size={20} />;
}

/** Status as shape, colour and word, and the clock; on the own tile the shape is a button. */
function ClockPlate({ tile }: TileProps) {
  const { t } = useTranslation();
  const clock = useTileClock(tile);
  if (clock === null) return null;
  return (
    <p className="tile-plate tile-clock">
      {tile.isSelf ? (
        <span className="tile-own-dot">
          <StatusButton />
        </span>
      ) : (
        <StatusDot status={clock.status} />
      )}
      {/* On a small tile the shape of the dot shows the status. */}
      <span className="@max-xs:sr-only">{t(`status.${clock.status}`)}</span>
      <span className="tile-time">
        <FocusClockText clock={clock} isStill={tile.view === 'connectionLost'} />
      </span>
    </p>
  );
}
