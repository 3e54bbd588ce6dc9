import {
  DayBarsPanel,
  ExportPanel,
  HoursPanel,
  LoadState,
  StreakPanel,
  TodayPanel,
  TotalsPanel,
  useFocusSettings,
  useStatistics,
  useStatisticsText,
  useStudyDays,
  useToday,
  VisitsPanel,
  YearHeatmap,
} from '../../features/statistics/index.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** What a learner has studied, and where each number comes from. */
export function StatisticsPage() {
  const t = useStatisticsText();
  const today = useToday();
  const statistics = useStatistics();
  const studyDays = useStudyDays();
  const settings = useFocusSettings();
  usePageTitle(t('page.title'));
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <header className="grid gap-2 pb-2">
        <h1 className="font-extrabold text-heading">{t('page.heading')}</h1>
        <p className="max-w-[60ch] text-ink-soft">{t('page.lead')}</p>
      </header>
      <div className="grid gap-4 sm:gap-6 lg:grid-cols-2">
        <TodayPanel today={today} studyDays={studyDays.value} />
        <TotalsPanel statistics={statistics} />
      </div>
      <LoadState of={studyDays}>
        {(value) => (
          <>
            <DayBarsPanel studyDays={value} />
            <YearHeatmap studyDays={value} />
          </>
        )}
      </LoadState>
      <div className="grid gap-4 sm:gap-6 lg:grid-cols-2">
        {today.value && <HoursPanel today={today.value.day} />}
        <StreakPanel
          statistics={statistics}
          studyDays={studyDays.value}
          settings={settings.value}
        />
      </div>
      <VisitsPanel timeZone={settings.value?.timeZone} />
      <div className="grid items-start gap-4 sm:gap-6 lg:grid-cols-2">
        {today.value && <ExportPanel today={today.value.day} />}
      </div>
    </div>
  );
}
