import { countedDownBy, type FocusClock, tileMs, type UserId } from '@mogakgong/contract';
import { type ReactNode, useMemo } from 'react';
import { clockText, paddedClockText, serverNowMs, useSecond } from '../../shared/clock/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock, useTodaySeconds } from '../../shared/today/today.ts';
import { useTitlePart } from '../../shared/ui/page-title.ts';

interface FocusClockProps {
  readonly clock: FocusClock;
  /** The learner's connection is lost; whether more time counts is known when they are back. */
  readonly isStill?: boolean;
}

/**
 * A learner's clock as hours:minutes:seconds (specification §4), in step with all others on the page: the same on
 * the tile and in the bar.
 */
export function FocusClockText({ clock, isStill = false }: FocusClockProps) {
  const stillText = useMemo(
    () => (isStill ? clockText(tileMs(clock, serverNowMs())) : null),
    [clock, isStill],
  );
  const text = useSecond((nowMs) => stillText ?? clockText(tileMs(clock, nowMs)));
  return <span role="timer">{text}</span>;
}

/** The time of the learner's own status, with the word for one that counts down. */
export function OwnStatusTime({ clock }: Pick<FocusClockProps, 'clock'>) {
  const { t } = useTranslation(roomTexts);
  return (
    <>
      <FocusClockText clock={clock} />
      {countedDownBy(clock) && <span>{t('focus.left')}</span>}
    </>
  );
}

interface OwnTimesProps extends FocusClockProps {
  readonly userId: UserId;
  readonly subject: ReactNode;
}

/** Today's focus, the large clock of the room, and below it the status with its time. */
export function OwnTimes({ userId, clock, subject }: OwnTimesProps) {
  const { t } = useTranslation();
  const room = useTranslation(roomTexts);
  const { status } = clock;
  const today = useTodaySeconds(userId);
  // In the first visit of a day both are the same time: it is not shown twice.
  const isWhole = useSecond(
    (nowMs) => status === 'focus' && today === Math.floor(tileMs(clock, nowMs) / 1_000),
  );
  return (
    <div className="own-times">
      <p>
        <span className="own-label">{room.t('focus.today')}</span>
        <span role="timer">{paddedClockText((today ?? 0) * 1_000)}</span>
      </p>
      <div className="own-line">
        <p data-own-status={status} className="own-status">
          {t(`status.${status}`)}
          {!isWhole && <OwnStatusTime clock={clock} />}
        </p>
        {subject}
      </div>
    </div>
  );
}

/** The learner's own clock in the title of the browser tab; statuses other than focus are named. */
export function FocusSign() {
  const clock = useOwnClock(clockOf);
  return clock && <Sign clock={clock} />;
}

function Sign({ clock }: FocusClockProps) {
  const { t } = useTranslation();
  const time = useSecond((nowMs) => clockText(tileMs(clock, nowMs)));
  useTitlePart('sign', clock.status === 'focus' ? time : `${t(`status.${clock.status}`)} ${time}`);
  return null;
}
