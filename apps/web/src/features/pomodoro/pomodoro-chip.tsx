import { type PomodoroPhase, type PomodoroSchedule, pomodoroPhase } from '@mogakgong/contract';
import Timer from 'lucide-react/icons/timer';
import { useRef } from 'react';
import { remainingText, useSecond } from '../../shared/clock/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { follow, type RoomScheduleProps, useFollows } from './following.ts';
import { unlockTone } from './tone.ts';

/** A schedule's phase by the server's time, with its remaining time as minutes:seconds. */
export function usePhase(schedule: PomodoroSchedule): PomodoroPhase & { readonly left: string } {
  const nowMs = useSecond((second) => second);
  const phase = pomodoroPhase(schedule, nowMs);
  return { ...phase, left: remainingText(phase.endsAtMs - nowMs) };
}

/** For followers what is left of the room's phase; for others that a schedule runs, and a button to join. */
export function PomodoroChip(props: RoomScheduleProps) {
  const { schedule } = props;
  const follows = useFollows(schedule);
  const ref = useRef<HTMLSpanElement>(null);
  // The button becomes the chip when it is pressed. Where the bar has no room for the button, the mark
  // replaces it.
  useKeptFocus(ref, () => ref.current?.querySelector('p')?.focus());
  if (schedule === null) return null;
  return (
    <span ref={ref} className={follows ? undefined : 'pomodoro-join'}>
      {follows ? <Chip schedule={schedule} /> : <JoinButton {...props} schedule={schedule} />}
    </span>
  );
}

function JoinButton(props: RoomScheduleProps & ChipProps) {
  const { t } = useTranslation(roomTexts);
  const { focusMinutes, breakMinutes } = props.schedule;
  const join = () => {
    void unlockTone();
    void follow(props);
  };
  return (
    <Button size="small" variant="quiet" icon={Timer} onClick={join}>
      {t('pomodoro.join', { focus: focusMinutes, break: breakMinutes })}
    </Button>
  );
}

/**
 * In a narrow bar, on the button of the panel to join in: marks a running schedule that the learner does not
 * follow.
 */
export function PomodoroMark({ schedule }: ChipProps) {
  const { t } = useTranslation(roomTexts);
  const follows = useFollows(schedule);
  const { kind } = usePhase(schedule);
  if (follows) return null;
  return (
    <span className="pomodoro-mark absolute top-1.5 right-[calc(50%-1.125rem)] size-2.5 rounded-full bg-lamp ring-2 ring-ground">
      <span className="sr-only">{t(`pomodoro.running.${kind}`)}</span>
    </span>
  );
}

interface ChipProps {
  readonly schedule: PomodoroSchedule;
}

function Chip({ schedule }: ChipProps) {
  const { t } = useTranslation(roomTexts);
  const { left } = usePhase(schedule);
  return (
    <p tabIndex={-1} className="pomodoro-chip">
      <Timer size={16} aria-hidden="true" />
      {t('pomodoro.chip')}
      <span role="timer">{left}</span>
    </p>
  );
}
