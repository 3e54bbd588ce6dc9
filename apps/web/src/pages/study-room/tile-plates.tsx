import type { FocusClock, UserId } from '@mogakgong/contract';
import { Suspense } from 'react';
import { FocusClockText } from '../../features/focus/focus-clock.tsx';
import { StatusButton } from '../../features/focus/focus-controls.tsx';
import type { OwnTimerView } from '../../features/focus/own-timer.ts';
import { TitleBadge } from '../../features/titles/title-badge.tsx';
import { isLost, type Tile } from '../../room/tiles.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { LearnerName, OwnName } from './learner-name.tsx';

/** Downloaded when a learner has a goal. */
const loadGoals = () => import('../../features/goals/tile-goal.tsx');
const OthersGoalRing = onDemand(async () => (await loadGoals()).OthersGoalRing, { isQuiet: true });
const OthersTask = onDemand(async () => (await loadGoals()).OthersTask, { isQuiet: true });

interface TilePlatesProps {
  /** The viewing learner. */
  readonly selfId: UserId;
  readonly tile: Tile;
  /** On the own tile only. */
  readonly own: OwnTimerView | null;
}

/** A learner's name and clock: two plates on a large tile, one slim line on a small one (tile.css). */
export function TilePlates(props: TilePlatesProps) {
  const { selfId, tile, own } = props;
  const { member, clock } = tile;
  return (
    <div className="tile-line">
      {clock && <ClockPlate clock={clock} own={own} isStill={tile.view === 'connectionLost'} />}
      <div className="tile-plate tile-owner">
        <span className="tile-lamp">
          <Lamp light={isLost(tile) ? 'off' : lightOf(clock?.status)} size={20} />
        </span>
        <div className="tile-names">
          {member?.title && (
            <p className="tile-title flex text-tiny text-lamp-ink">
              <TitleBadge title={member.title} iconSize={14} />
            </p>
          )}
          <div className="tile-name">
            {tile.isSelf ? (
              <OwnName name={tile.name} />
            ) : (
              <LearnerName
                selfId={selfId}
                userId={tile.userId}
                name={tile.name}
                className="pointer-events-auto"
              />
            )}
          </div>
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

interface ClockPlateProps {
  readonly clock: FocusClock;
  readonly own: OwnTimerView | null;
  readonly isStill: boolean;
}

/** Status as shape, colour and word, and the clock; on the own tile the shape is a button. */
function ClockPlate({ clock, own, isStill }: ClockPlateProps) {
  const { t } = useTranslation();
  return (
    <p className="tile-plate tile-clock">
      {own ? (
        <span className="tile-own-dot">
          <StatusButton own={own} />
        </span>
      ) : (
        <StatusDot status={clock.status} />
      )}
      {/* On a small tile the shape of the dot shows the status. */}
      <span className="@max-xs:sr-only">{t(`status.${clock.status}`)}</span>
      <span className="tile-time">
        <FocusClockText clock={clock} isStill={isStill} />
      </span>
    </p>
  );
}
