import type { StudyDays, UserId } from '@mogakgong/contract';
import { useRef } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useFocusSettings } from '../../features/focus/use-focus-settings.ts';
import { DayBarsPanel } from '../../features/statistics/day-bars-panel.tsx';
import { ExportPanel } from '../../features/statistics/export-panel.tsx';
import { HoursPanel } from '../../features/statistics/hours-panel.tsx';
import { statisticsTexts } from '../../features/statistics/statistics-texts.ts';
import { StreakPanel } from '../../features/statistics/streak-panel.tsx';
import { TodayPanel } from '../../features/statistics/today-panel.tsx';
import { TotalsPanel } from '../../features/statistics/totals-panel.tsx';
import { useStatistics, useStudyDays } from '../../features/statistics/use-statistics.ts';
import { useLatestVisits } from '../../features/statistics/use-visits.ts';
import { VisitsPanel } from '../../features/statistics/visits-panel.tsx';
import { YearHeatmap } from '../../features/statistics/year-heatmap.tsx';
import type { Loaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';

const SIDE_BY_SIDE =
  'grid gap-4 empty:hidden sm:gap-6 lg:grid-cols-2 lg:[&>:only-child]:col-span-full';

/** What a learner has studied, and where each number comes from. */
export function StatisticsPage() {
  const userId = useOwnUserId();
  return userId !== null && <StatisticsOf userId={userId} />;
}

function StatisticsOf({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(statisticsTexts);
  const today = useToday(userId);
  const statistics = useStatistics(userId);
  const studyDays = useStudyDays(userId);
  const visits = useLatestVisits(userId);
  const settings = useFocusSettings(userId);
  usePageTitle(t('page.title'));
  const day = today.value?.day ?? studyDays.value?.today;
  const hasNothing =
    studyDays.value?.days.length === 0 &&
    statistics.value?.totalStudyTime === 0 &&
    statistics.value.totalAwayTime === 0;
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <header className="grid gap-2 pb-2">
        <h1 className="font-extrabold text-heading">{t('page.heading')}</h1>
        <p className="max-w-[48rem] text-ink-soft">{t('page.lead')}</p>
      </header>
      <div className={SIDE_BY_SIDE}>
        <TodayPanel today={today} studyDays={studyDays.value} />
        {!hasNothing && <TotalsPanel statistics={statistics} />}
      </div>
      <Days studyDays={studyDays} hasNothing={hasNothing} />
      <div className={SIDE_BY_SIDE}>
        {!hasNothing && day && <HoursPanel userId={userId} day={day} />}
        <StreakPanel
          statistics={statistics}
          studyDays={studyDays.value}
          settings={settings.value}
        />
      </div>
      <VisitsPanel latest={visits} />
      {!hasNothing && day && <ExportPanel today={day} />}
    </div>
  );
}

interface DaysProps {
  readonly studyDays: Loaded<StudyDays>;
  readonly hasNothing: boolean;
}

/** The bars and the year, or one panel for both until they are loaded. */
function Days({ studyDays, hasNothing }: DaysProps) {
  const { t } = useTranslation(statisticsTexts);
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector('h2')?.focus({ preventScroll: true }));
  return (
    <div ref={ref} className="contents">
      {studyDays.value === null ? (
        <Panel title={t('days.heading')}>
          <LoadState of={studyDays}>{() => null}</LoadState>
        </Panel>
      ) : (
        <>
          {!hasNothing && <DayBarsPanel studyDays={studyDays.value} />}
          <YearHeatmap studyDays={studyDays.value} />
        </>
      )}
    </div>
  );
}
