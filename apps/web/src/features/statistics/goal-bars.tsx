import type { DatedGoal, StudyDays, Today } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { StatusBar } from './status-bar.tsx';
import { useFocusSoFar } from './use-focus-so-far.ts';

const MINUTE_MS = 60_000;

interface GoalBarsProps {
  readonly today: Today;
  readonly studyDays: StudyDays | null;
  readonly goal: Pick<DatedGoal, 'targetMinutes' | 'weekMinutes'>;
}

/** Today's focus and that of this week against their targets. Time entered by hand stands beside it in words. */
export function GoalBars({
  today,
  studyDays,
  goal: { targetMinutes, weekMinutes },
}: GoalBarsProps) {
  const { t } = useTranslation(statisticsTexts);
  const { todayFocusMs, weekFocusMs, weekManualMs } = useFocusSoFar(today, studyDays);
  return (
    <div className="grid gap-4">
      {targetMinutes !== null && (
        <GoalBar
          name={t('attained.day')}
          focusMs={todayFocusMs}
          manualMs={today.manualMs ?? 0}
          targetMs={targetMinutes * MINUTE_MS}
        />
      )}
      {weekMinutes !== null && studyDays && (
        <GoalBar
          name={t('attained.week')}
          focusMs={weekFocusMs}
          manualMs={weekManualMs}
          targetMs={weekMinutes * MINUTE_MS}
        />
      )}
    </div>
  );
}

interface GoalBarProps {
  readonly name: string;
  readonly focusMs: number;
  readonly manualMs: number;
  readonly targetMs: number;
}

function GoalBar({ name, focusMs, manualMs, targetMs }: GoalBarProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <div className="grid gap-1.5 text-small tabular-nums">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold">{name}</span>
        <span>
          {t('attained.of', {
            focus: durationText(t, focusMs),
            target: durationText(t, targetMs),
            percent: Math.floor((100 * focusMs) / targetMs),
          })}
        </span>
      </p>
      <StatusBar
        parts={[{ status: 'focus', from: 0, to: focusMs }]}
        from={0}
        to={Math.max(targetMs, focusMs)}
      />
      {manualMs > 0 && (
        <p className="text-caption text-ink-soft">
          {t('attained.manual', { manual: durationText(t, manualMs) })}
        </p>
      )}
    </div>
  );
}
