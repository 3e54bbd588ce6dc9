import { type PomodoroPhase, type PomodoroSchedule, pomodoroPhase } from '@mogakgong/contract';
import Timer from 'lucide-react/icons/timer';
import { remainingText, useSecond } from '../../shared/clock/index.ts';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { type RoomScheduleProps, useFollowing } from './following.ts';

/** The phase that a schedule is in by the server's time, with what is left of it as minutes:seconds. */
export function usePhase(schedule: PomodoroSchedule): PomodoroPhase & { readonly left: string } {
  const nowMs = useSecond((second) => second);
  const phase = pomodoroPhase(schedule, nowMs);
  return { ...phase, left: remainingText(phase.endsAtMs - nowMs) };
}

/** The phase of the room and what is left of it, for followers. */
export function PomodoroChip({ userId, roomId, schedule }: RoomScheduleProps) {
  const { follows } = useFollowing(userId, roomId);
  return follows && schedule !== null ? <Chip schedule={schedule} /> : null;
}

function Chip({ schedule }: { readonly schedule: PomodoroSchedule }) {
  const { t } = useTranslation(focusTexts);
  const { kind, left } = usePhase(schedule);
  return (
    <p className="inline-flex min-h-9 items-center gap-1.5 whitespace-nowrap rounded-full bg-lamp-wash px-3 font-semibold text-lamp-ink text-small">
      <Timer size={16} aria-hidden="true" />
      {t(`pomodoro.chip.${kind}`)}
      <span role="timer">{left}</span>
    </p>
  );
}
