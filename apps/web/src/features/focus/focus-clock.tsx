import { type FocusClock, ownClockMs, tileMs } from '@mogakgong/contract';
import { useMemo } from 'react';
import { clockText, serverNowMs, useSecond } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { useTitlePart } from '../../shared/ui/page-title.ts';

interface FocusClockProps {
  readonly clock: FocusClock;
}

/** One's own clock as text: focus, this break, or away (decision 019). */
function useOwnClockText(clock: FocusClock): string {
  return useSecond((nowMs) => clockText(ownClockMs(clock, nowMs)));
}

interface TileClockProps extends FocusClockProps {
  /** The learner's connection is lost; whether more time counts is known when they are back. */
  readonly isStill: boolean;
}

/** A learner's clock as hours:minutes:seconds (specification §4), in step with all others on the page. */
export function FocusClockText({ clock, isStill }: TileClockProps) {
  const stillText = useMemo(
    () => (isStill ? clockText(tileMs(clock, serverNowMs())) : null),
    [clock, isStill],
  );
  const text = useSecond((nowMs) => stillText ?? clockText(tileMs(clock, nowMs)));
  return <span role="timer">{text}</span>;
}

/** The learner's own clock, the large one of the room; in a break it shows the break's length. */
export function OwnClockText({ clock }: FocusClockProps) {
  return <span role="timer">{useOwnClockText(clock)}</span>;
}

/** The learner's own clock in the title of the browser tab; statuses other than focus are named. */
export function FocusSign() {
  const clock = useOwnClock(clockOf);
  return clock && <Sign clock={clock} />;
}

function Sign({ clock }: FocusClockProps) {
  const { t } = useTranslation();
  const time = useOwnClockText(clock);
  useTitlePart('sign', clock.status === 'focus' ? time : `${t(`status.${clock.status}`)} ${time}`);
  return null;
}
