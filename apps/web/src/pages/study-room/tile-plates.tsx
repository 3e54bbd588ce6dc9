import type { FocusClock, TodayGoal, UserId } from '@mogakgong/contract';
import { Suspense } from 'react';
import { FocusClockText, type OwnTimerView, StatusButton } from '../../features/focus/index.ts';
import { TitleBadge } from '../../features/titles/title-badge.tsx';
import type { Tile } from '../../room/tiles.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { LearnerName } from './learner-name.tsx';

/** Downloaded where somebody has a goal. */
const loadGoals = () => import('../../features/goals/tile-goal.tsx');
const OthersGoalRing = onDemand(async () => (await loadGoals()).OthersGoalRing, { isQuiet: true });
const OthersTask = onDemand(async () => (await loadGoals()).OthersTask, { isQuiet: true });
const OwnGoalRing = onDemand(async () => (await loadGoals()).OwnGoalRing, { isQuiet: true });

interface TilePlatesProps {
  /** The learner who looks. */
  readonly selfId: UserId;
  readonly tile: Tile;
  readonly clock: FocusClock | null;
  /** On one's own tile only. */
  readonly own: OwnTimerView | null;
  readonly ownGoal: TodayGoal | null;
}

/** The edge of a desk: the lamp, whose desk it is, and above how long they have been at it. */
export function TilePlates(props: TilePlatesProps) {
  const { selfId, tile, clock, own, ownGoal } = props;
  const { member } = tile;
  const { t } = useTranslation();
  return (
    <>
      {clock && <ClockPlate clock={clock} own={own} />}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 flex p-2">
        <div className="tile-plate min-w-0 gap-1.5 pr-2.5 pl-1.5">
          <Lamp light={isLost(tile) ? 'off' : lightOf(clock?.status)} size={24} />
          <div className="min-w-0 py-1 leading-tight">
            {member?.title && (
              <p className="flex text-tiny text-lamp-ink">
                <TitleBadge title={member.title} iconSize={14} />
              </p>
            )}
            {tile.isSelf ? (
              <p className="truncate font-semibold text-caption">
                {t('tile.self', { name: tile.name })}
              </p>
            ) : (
              <LearnerName
                selfId={selfId}
                userId={Number(tile.identity)}
                name={tile.name}
                className="pointer-events-auto font-semibold text-caption"
              />
            )}
            {!tile.isSelf && member?.goal && <OthersTask goal={member.goal} />}
          </div>
          <Suspense>
            {ownGoal && ownGoal.targetMinutes !== null && (
              <OwnGoalRing userId={selfId} goal={ownGoal} />
            )}
            {!tile.isSelf && member?.goal && <OthersGoalRing goal={member.goal} />}
          </Suspense>
        </div>
      </div>
    </>
  );
}

/** Nobody knows whether somebody sits at a desk whose connection is lost: its lamp is out. */
export function isLost({ view, member }: Tile): boolean {
  return view === 'connectionLost' || member?.connection === 'lost';
}

interface ClockPlateProps {
  readonly clock: FocusClock;
  readonly own: OwnTimerView | null;
}

/** Status as shape, colour and word, and the clock; on one's own tile the shape is a button. */
function ClockPlate({ clock, own }: ClockPlateProps) {
  const { t } = useTranslation();
  return (
    <div className="pointer-events-none absolute top-0 left-0 p-2">
      <p
        className={classNames(
          'tile-plate gap-1.5 pr-2.5 font-semibold text-caption tabular-nums',
          own ? 'pl-0.5' : 'pl-2.5',
        )}
      >
        {own ? (
          <span className="pointer-events-auto">
            <StatusButton own={own} />
          </span>
        ) : (
          <StatusDot status={clock.status} />
        )}
        <span className="tile-status">{t(`status.${clock.status}`)}</span>
        <FocusClockText clock={clock} />
      </p>
    </div>
  );
}
