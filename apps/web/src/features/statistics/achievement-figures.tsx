import { MINUTE_MS, type Today, todayMs, type UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { Loaded } from '../../shared/api/index.ts';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';
import { RetryButton } from '../../shared/ui/load-state.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { Figure, type Totals, totalTexts } from './figure.tsx';
import { useStatistics } from './use-statistics.ts';

/** Placeholders of statistics that were not loaded (specification §8). */
const ZEROS: Totals = {
  totalStudyTime: 0,
  totalAttendanceDays: 0,
  continueAttendanceDays: 0,
};

/**
 * Today, cumulative focus, days of attendance, days in a row (specification §2, my page). A figure that was
 * not loaded is zero, struck through and marked, with a retry (design §2).
 */
export function AchievementFigures({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const today = useToday(userId);
  const statistics = useStatistics(userId);
  const failed = [today, statistics].filter(({ error }) => error !== null);
  const totals = totalTexts(t, statistics.value ?? ZEROS);
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-6 lg:grid-cols-4">
        <LoadedFigure name={t('totals.todayFocus')} of={today}>
          <TodayMinutes today={today.value} />
        </LoadedFigure>
        {(['focus', 'attendance', 'streak'] as const).map((name) => (
          <LoadedFigure key={name} name={t(`totals.${name}`)} of={statistics}>
            {totals[name]}
          </LoadedFigure>
        ))}
      </dl>
      {failed.length > 0 && (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="text-ink-soft text-small">
            {t('totals.unknown')} {failed[0]?.error}
          </p>
          <RetryButton of={failed} />
        </div>
      )}
    </div>
  );
}

/** In whole minutes, as the sum beside it; the header has the seconds. */
function TodayMinutes({ today }: { readonly today: Today | null }) {
  const { t } = useTranslation(studyTexts);
  const minutes = useSecond((nowMs) =>
    today === null ? 0 : Math.floor(todayMs(today, nowMs) / MINUTE_MS),
  );
  return durationText(t, minutes * MINUTE_MS);
}

interface LoadedFigureProps {
  readonly name: string;
  readonly of: Loaded<unknown>;
  /** The figure, or its placeholder. */
  readonly children: ReactNode;
}

function LoadedFigure({ name, of: { value, error }, children }: LoadedFigureProps) {
  const { t } = useTranslation();
  if (value !== null || error !== null) {
    return <Figure name={name} value={children} isUnknown={value === null} />;
  }
  const waiting = (
    <span role="status" className="inline-flex min-h-9 items-center text-ink-soft">
      <Spinner />
      <span className="sr-only">{t('common.loading')}</span>
    </span>
  );
  return <Figure name={name} value={waiting} />;
}
