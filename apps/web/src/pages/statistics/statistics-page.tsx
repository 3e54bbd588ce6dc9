import {
  type Statistics,
  type StudyDays,
  type Today,
  todayMs,
  type UserId,
} from '@mogakgong/contract';
import ImageIcon from 'lucide-react/icons/image';
import { type ComponentProps, Suspense, useEffect, useRef, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { saveFocusSettings } from '../../features/focus/save-focus-settings.ts';
import { useFocusSettings } from '../../features/focus/use-focus-settings.ts';
import { useGoal } from '../../features/goals/use-goal.ts';
import { DayBarsPanel } from '../../features/statistics/day-bars-panel.tsx';
import { ExportPanel } from '../../features/statistics/export-panel.tsx';
import { HoursPanel } from '../../features/statistics/hours-panel.tsx';
import { LateDayOffer } from '../../features/statistics/late-day-offer.tsx';
import { StreakPanel } from '../../features/statistics/streak-panel.tsx';
import { isFirstWeek, sumOf, weekSoFar } from '../../features/statistics/study-days.ts';
import { SubjectsPanel } from '../../features/statistics/subjects-panel.tsx';
import { TodayPanel } from '../../features/statistics/today-panel.tsx';
import { TotalsPanel } from '../../features/statistics/totals-panel.tsx';
import { useStudyDays, useWeeks } from '../../features/statistics/use-periods.ts';
import { refreshFigures, useStatistics } from '../../features/statistics/use-statistics.ts';
import { useLatestVisits } from '../../features/statistics/use-visits.ts';
import { VisitsPanel } from '../../features/statistics/visits-panel.tsx';
import { WeeksPanel } from '../../features/statistics/weeks-panel.tsx';
import { YearHeatmap } from '../../features/statistics/year-heatmap.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import type { Loaded } from '../../shared/api/index.ts';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadingText, LoadState, NotLoaded } from '../../shared/ui/load-state.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { focusPageHeading } from '../../shared/ui/page-heading.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';

const ShareCardDialog = onDemand(
  async () => (await import('./share-card/share-card-dialog.tsx')).ShareCardDialog,
);

const MonthPanel = onDemand(
  async () => (await import('../../features/statistics/month-panel.tsx')).MonthPanel,
);

/** Two panels, both as high as the higher one. */
const SIDE_BY_SIDE =
  'grid gap-4 empty:hidden sm:gap-6 lg:grid-cols-2 lg:[&>:only-child]:col-span-full';

/** The learner's study time, and the source of each number. */
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
  const weeks = useWeeks(userId);
  const settings = useFocusSettings(userId);
  usePageTitle(t('statistics.page.title'));
  useFiguresOfSeat(userId);
  const day = today.value?.day ?? studyDays.value?.today;
  const needed = [today, statistics, studyDays, visits, weeks, settings];
  // Panels that appear one by one would push each other down the page.
  const isThere = needed.every(({ value, error }) => value !== null || error !== null);
  const failed = needed.filter(({ error }) => error !== null);
  const hasFailed = isThere && failed.length === needed.length;
  const isFirst =
    statistics.value !== null &&
    studyDays.value !== null &&
    isFirstWeek(statistics.value, studyDays.value);
  const streak = (
    <StreakPanel statistics={statistics} studyDays={studyDays.value} settings={settings.value} />
  );
  const hasVisits = visits.value?.visits.length !== 0;
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref, focusPageHeading);
  return (
    // At least as tall as the window: the footer stays below the content while it loads.
    <div
      ref={ref}
      className="mx-auto grid min-h-dvh w-full max-w-[72rem] content-start gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12"
    >
      <header className="grid gap-2 pb-2">
        <h1 className="font-extrabold text-heading">{t('statistics.page.heading')}</h1>
        {isThere && !hasFailed && (
          <p className="max-w-[48rem] text-ink-soft">
            {isFirst && today.value && studyDays.value ? (
              <FirstWeekText today={today.value} studyDays={studyDays.value} />
            ) : (
              t('statistics.page.lead')
            )}
          </p>
        )}
      </header>
      {hasFailed ? (
        // One notice instead of one in each panel.
        <div className="rounded-large border border-line bg-surface p-5">
          <NotLoaded of={failed} error={t('statistics.page.failed')} />
        </div>
      ) : isThere ? (
        <>
          {settings.value?.dayStartMinutes === 0 && visits.value && (
            <LateDayOffer
              userId={userId}
              settings={settings.value}
              visits={visits.value}
              save={(changed) => saveFocusSettings(userId, changed, t('late.failed'))}
            />
          )}
          <div className={SIDE_BY_SIDE}>
            {/* Its content is centred where there is room. */}
            <div className="grid min-w-0 lg:*:grid-rows-[auto_1fr]">
              <OwnToday
                {...{ userId, today, statistics: statistics.value, studyDays: studyDays.value }}
              />
            </div>
            {isFirst ? streak : <WeeksPanel weeks={weeks} settings={settings.value} />}
          </div>
          {!isFirst && (
            <>
              <TotalsPanel statistics={statistics} />
              <Days studyDays={studyDays} />
              <div className={SIDE_BY_SIDE}>
                {day && <HoursPanel userId={userId} day={day} />}
                {streak}
              </div>
            </>
          )}
          {hasVisits && (
            <>
              {studyDays.value && <MonthPanel userId={userId} studyDays={studyDays.value} />}
              <Suspense>{day && <SubjectsPanel userId={userId} day={day} />}</Suspense>
              <VisitsPanel latest={visits} />
              <ExportPanel today={today} />
            </>
          )}
        </>
      ) : (
        <LoadingText />
      )}
    </div>
  );
}

interface OwnTodayProps {
  readonly userId: UserId;
  readonly today: Loaded<Today>;
  readonly statistics: Statistics | null;
  readonly studyDays: StudyDays | null;
}

/** Today against the learner's goals, and the card of it. */
function OwnToday({ userId, today, statistics, studyDays }: OwnTodayProps) {
  const goal = useGoal(userId).value;
  return (
    <TodayPanel
      {...{ today, studyDays, goal }}
      actions={
        today.value &&
        statistics &&
        studyDays && <ShareButton {...{ userId, today: today.value, statistics, studyDays }} />
      }
    />
  );
}

/** Reloads the figures when this tab has taken, left or lost a seat. */
function useFiguresOfSeat(userId: UserId): void {
  const seat = useCurrentRoom((room) =>
    room.leavingRoomId === null ? (room.seat?.roomId ?? null) : 'leaving',
  );
  const knownRef = useRef(seat);
  useEffect(() => {
    if (knownRef.current !== seat && seat !== 'leaving') refreshFigures(userId);
    knownRef.current = seat;
  }, [seat, userId]);
}

/** Nothing without focus this week: an empty card is not offered. */
function ShareButton(known: Omit<ComponentProps<typeof ShareCardDialog>, 'onClose'>) {
  const { t } = useTranslation(statisticsTexts);
  const [isOpen, setIsOpen] = useState(false);
  const hasFocused = useSecond(
    (nowMs) => sumOf(weekSoFar(known.today, known.studyDays, nowMs)).focusMs > 0,
  );
  if (!hasFocused && !isOpen) return null;
  return (
    <>
      <Button size="small" variant="quiet" icon={ImageIcon} onClick={() => setIsOpen(true)}>
        {t('today.share')}
      </Button>
      <Suspense>
        {isOpen && <ShareCardDialog {...known} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  );
}

interface FirstWeekTextProps {
  readonly today: Today;
  readonly studyDays: StudyDays;
}

/** The first week in one sentence, which grows with the clock below it; before it a welcome. */
function FirstWeekText({ today, studyDays }: FirstWeekTextProps) {
  const { t } = useTranslation(statisticsTexts);
  const before = sumOf(studyDays.days.filter(({ day }) => day !== today.day));
  const focus = useSecond((nowMs) => {
    const focusMs = before.focusMs + todayMs(today, nowMs);
    return focusMs > 0 ? durationText(t, focusMs) : null;
  });
  return focus === null ? t('firstWeek.welcome') : t('firstWeek.lead', { focus });
}

interface DaysProps {
  readonly studyDays: Loaded<StudyDays>;
}

/** The bars and the year, or one panel for both until they are loaded. */
function Days({ studyDays }: DaysProps) {
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
          <DayBarsPanel studyDays={studyDays.value} />
          <YearHeatmap studyDays={studyDays.value} />
        </>
      )}
    </div>
  );
}
