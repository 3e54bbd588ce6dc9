import {
  type DatedGoal,
  MINUTE_MS,
  type StudyDays,
  type Today,
  todayMs,
} from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { StatusBar, StatusSwatch } from './status-bar.tsx';
import { sumOf, weekSoFar } from './study-days.ts';

interface GoalBarsProps {
  readonly today: Today;
  readonly studyDays: StudyDays | null;
  readonly goal: Pick<DatedGoal, 'targetMinutes' | 'weekMinutes'>;
}

/** Today's focus and that of this week against their targets, followed by time entered by hand, which attains nothing. */
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

/** The focus of today and of this week, which run on with the clock, and the week's time entered by hand. */
function useFocusSoFar(today: Today, studyDays: StudyDays | null) {
  const todayFocusMs = useSecond((nowMs) => todayMs(today, nowMs));
  const week = sumOf(studyDays ? weekSoFar(today, studyDays, today.serverNowMs) : []);
  // The part of today's focus that has run since that answer.
  const weekFocusMs = week.focusMs + todayFocusMs - todayMs(today, today.serverNowMs);
  return { todayFocusMs, weekFocusMs, weekManualMs: week.manualMs };
}

interface GoalBarProps {
  readonly name: string;
  readonly focusMs: number;
  readonly manualMs: number;
  readonly targetMs: number;
}

function GoalBar({ name, focusMs, manualMs, targetMs }: GoalBarProps) {
  const { t } = useTranslation(statisticsTexts);
  const shownMs = focusMs + manualMs;
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
        parts={[
          { status: 'focus', from: 0, to: focusMs },
          ...(manualMs > 0 ? [{ status: 'manual', from: focusMs, to: shownMs } as const] : []),
        ]}
        from={0}
        to={Math.max(targetMs, shownMs)}
      />
      {manualMs > 0 && (
        <p className="flex items-center gap-2 text-caption text-ink-soft">
          <StatusSwatch status="manual" />
          {t('attained.manual', { manual: durationText(t, manualMs) })}
        </p>
      )}
    </div>
  );
}
