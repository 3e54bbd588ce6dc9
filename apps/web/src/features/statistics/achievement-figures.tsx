import type { Statistics, Today, UserId } from '@mogakgong/contract';
import type { Loaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';
import { RetryButton } from '../../shared/ui/load-state.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { Figure, type Totals, totalTexts } from './figure.tsx';
import { statisticsTexts } from './statistics-texts.ts';
import { TodayClock } from './today-clock.tsx';
import { useFiguresFollowToday, useStatistics } from './use-statistics.ts';

/** What stands in for statistics that were not loaded (specification §8). */
const ZEROS: Totals = {
  totalStudyTime: 0,
  totalAwayTime: 0,
  totalAttendanceDays: 0,
  continueAttendanceDays: 0,
};

/**
 * Today, cumulative focus, days of attendance, days in a row (specification §2, my page). What was not
 * loaded is zero, struck through and said to be so, with a retry (design §2).
 */
export function AchievementFigures({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(statisticsTexts);
  const today = useToday(userId);
  const statistics = useStatistics(userId);
  useFiguresFollowToday(userId);
  const failed = [today, statistics].filter(({ error }) => error !== null);
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-6 lg:grid-cols-4">
        <TodayFigure today={today} />
        <StatisticsFigures statistics={statistics} />
      </dl>
      {failed.length > 0 && (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="text-ink-soft text-small">
            {t('totals.unknown')} {failed[0]?.error}
          </p>
          <RetryButton
            isLoading={failed.some(({ isLoading }) => isLoading)}
            onRetry={() => {
              for (const loaded of failed) loaded.reload();
            }}
          />
        </div>
      )}
    </div>
  );
}

function TodayFigure({ today }: { readonly today: Loaded<Today> }) {
  const { t } = useTranslation(statisticsTexts);
  const name = t('totals.todayFocus');
  if (today.value !== null)
    return <Figure name={name} value={<TodayClock today={today.value} />} />;
  if (today.error !== null) return <Figure name={name} value="0:00:00" isUnknown />;
  return <Figure name={name} value={<Waiting />} />;
}

function StatisticsFigures({ statistics }: { readonly statistics: Loaded<Statistics> }) {
  const { t } = useTranslation(statisticsTexts);
  const isUnknown = statistics.error !== null;
  const shown = statistics.value ?? (isUnknown ? ZEROS : null);
  return (['focus', 'attendance', 'streak'] as const).map((name) => (
    <Figure
      key={name}
      name={t(`totals.${name}`)}
      value={shown === null ? <Waiting /> : totalTexts(t, shown)[name]}
      isUnknown={isUnknown}
    />
  ));
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <span role="status" className="inline-flex min-h-9 items-center text-ink-soft">
      <Spinner />
      <span className="sr-only">{t('common.loading')}</span>
    </span>
  );
}
