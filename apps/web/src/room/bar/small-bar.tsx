import { LogOut, Video, VideoOff } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation, useRoute } from 'wouter';
import { useStore } from 'zustand';
import { FocusClockText } from '../../features/focus/focus-clock.tsx';
import { BreakButton } from '../../features/focus/focus-controls.tsx';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import { clockOf, isWaiting } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { focusPageHeading } from '../../shared/ui/page-heading.ts';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { useRootAttribute } from '../../shared/ui/use-root-attribute.ts';
import { useOutage } from '../live/outage.ts';
import { leaveRoomOrShowError } from '../live/room-actions.ts';
import type { RoomLive } from '../live/room-live.ts';
import { useRoomName } from '../live/room-name.ts';

interface SmallBarProps {
  readonly live: Pick<RoomLive, 'roomId' | 'store'>;
}

/** Why the learner is no longer in the room. */
const STOPPED: Readonly<Record<string, TextKey>> = {
  refused: 'room.removed',
  replaced: 'room.replaced',
  removed: 'room.removed',
};

/**
 * Above other pages: the running room, the own clock in it, whether the learner is seen there, and buttons to
 * go back and to leave. /main itself names the room and leads back to it.
 */
export function SmallBar({ live }: SmallBarProps) {
  const { t } = useTranslation(roomTexts);
  const [, navigate] = useLocation();
  const [isMain] = useRoute(paths.main);
  const name = useRoomName(live.roomId);
  const clock = useOwnClock(clockOf);
  const isSaving = useOwnClock(isWaiting);
  const stopped = useStore(live.store, ({ media }) => STOPPED[media.state.kind]);
  const outage = useOutage(live);
  const isSaidByPage = isMain && !stopped;
  /** Its button is the primary one then. */
  const isResumeOffered = !stopped && clock !== null && clock.status !== 'focus';
  const lost = outage?.isPassing ? undefined : outage?.title;
  const trouble = lost ?? (isSaving ? 'room.saving' : undefined);
  const leave = () => {
    if (!isMain) navigate(paths.main);
    leaveRoomOrShowError();
  };
  useFocusOnLeaving();
  return (
    <section aria-label={name}>
      <div className="mx-auto flex w-full max-w-[84rem] flex-wrap items-center gap-x-1.5 px-4 py-1.5 sm:gap-x-2 sm:px-6">
        <div className="flex min-w-0 flex-1 gap-x-4 max-sm:flex-col sm:items-center">
          {!isSaidByPage && (
            <p title={name} className="truncate font-semibold text-small">
              {stopped ? t(stopped) : name}
            </p>
          )}
          {!stopped && <OwnState live={live} />}
        </div>
        <span
          className={classNames(
            'contents',
            // Only icons where there is no room for words.
            isSaidByPage ? 'max-[22rem]:[&>button>span]:sr-only' : 'max-sm:[&>button>span]:sr-only',
          )}
        >
          {!stopped && <BreakButton hasKey={false} />}
          <Button size="small" variant="quiet" icon={LogOut} onClick={leave}>
            <span>{t('room.leave')}</span>
          </Button>
        </span>
        {!isSaidByPage && (
          <LinkButton
            size="small"
            variant={isResumeOffered ? 'secondary' : 'primary'}
            href={studyRoomPath(live.roomId)}
          >
            {t('room.back')}
          </LinkButton>
        )}
        <p role="status" className="basis-full text-small not-empty:py-1">
          {!stopped && trouble && t(trouble)}
        </p>
      </div>
    </section>
  );
}

/** The own status and clock as in the room, and whether the others there see the learner. */
function OwnState({ live }: SmallBarProps) {
  const { t } = useTranslation(roomTexts);
  const clock = useOwnClock(clockOf);
  const isSeen = useStore(live.store, ({ camera }) => camera.kind === 'on' && !camera.isPaused);
  const Sign = isSeen ? Video : VideoOff;
  useRootAttribute('data-own-clock', clock !== null);
  return (
    <div className="flex items-center gap-x-1.5 text-small leading-snug">
      {clock && (
        <p className="flex items-center gap-1.5 whitespace-nowrap">
          <StatusDot status={clock.status} />
          <span role="status" className="max-sm:sr-only">
            {t(`status.${clock.status}`)}
          </span>
          {/* One clock runs: in a wide window the header's, which is hidden in a narrow one (TodayTime). */}
          <span
            className={classNames(
              'font-bold sm:text-body',
              clock.status === 'focus' && 'min-[56.25rem]:hidden',
            )}
          >
            <FocusClockText clock={clock} />
          </span>
        </p>
      )}
      <p className="flex items-center gap-1.5 whitespace-nowrap text-ink-soft sm:ml-2.5">
        <Sign size={16} aria-hidden="true" />
        <span role="status" className="max-sm:sr-only">
          {t(isSeen ? 'room.seen' : 'room.unseen')}
        </span>
      </p>
    </div>
  );
}

/** On leaving, the focus moves from the bar to the page. */
function useFocusOnLeaving(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusPageHeading();
    },
    [],
  );
}
