import { dayLabel } from '../../shared/i18n/date-format.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import './statistics.css';
import { ATTENDANCE_MIN_MS, HOUR_MS, type StudyDay, type StudyDays } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { ChartPanel } from './chart-panel.tsx';
import { ChartSlider } from './chart-slider.tsx';
import { DaysTable } from './day-bars-panel.tsx';
import { readingOf } from './durations.ts';

import { attendedDays, figuresByDay, heatmapWeeks, sumOf } from './study-days.ts';

/** Minimum focus of each brighter step; the first step is a day of attendance. */
const LEVELS_MS = [ATTENDANCE_MIN_MS, HOUR_MS + 1, 3 * HOUR_MS + 1, 6 * HOUR_MS + 1] as const;

const STEPS = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

/** 0 for a day that does not count as attended, to 4 for the brightest. */
export function levelOf(focusMs: number): number {
  return LEVELS_MS.filter((fromMs) => focusMs >= fromMs).length;
}

/** The last 52 weeks, one lamp a day: brighter with more focus. */
export function YearHeatmap({ studyDays: { today, days } }: { readonly studyDays: StudyDays }) {
  const { t } = useTranslation(statisticsTexts);
  const weeks = heatmapWeeks(today);
  const lookUp = figuresByDay(days);
  const figures = weeks.flat().map(lookUp);
  const recorded = figures.filter(({ focusMs, awayMs }) => focusMs + awayMs > 0);
  const attended = attendedDays(figures);
  return (
    <ChartPanel
      title={t('year.title')}
      lead={
        attended === 0
          ? t('year.empty')
          : t('year.summary', {
              days: t('days.count', { count: attended }),
              focus: durationText(t, sumOf(figures).focusMs),
            })
      }
      name={t('year.title')}
      chart={<Heatmap weeks={weeks} focusOf={lookUp} />}
      table={
        recorded.length > 0 && <DaysTable caption={t('year.title')} figures={recorded.reverse()} />
      }
    />
  );
}

interface HeatmapProps {
  readonly weeks: readonly (readonly StudyDay[])[];
  readonly focusOf: ReturnType<typeof figuresByDay>;
}

function Heatmap({ weeks, focusOf }: HeatmapProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const days = weeks.flat();
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-5">
      <ChartSlider
        name={t('year.title')}
        count={days.length}
        start={days.length - 1}
        steps={STEPS}
        readingOf={(index) => {
          const day = days[index] ?? '';
          return readingOf(t, dayLabel(day, language, { dateStyle: 'full' }), focusOf(day));
        }}
        summary={t('year.hint')}
        // Reversed, so that a narrow window shows the latest weeks first.
        className="heat-scroll flex min-w-0 flex-row-reverse overflow-x-auto rounded-small pb-1 focus-visible:outline-offset-0"
      >
        {(chosen, choose) => (
          <div aria-hidden="true" className="heat-year text-ink-soft">
            {weeks.slice(0, -1).map(
              ([monday = ''], week) =>
                // A month's name stands above its first whole week.
                Number(monday.slice(8)) <= 7 && (
                  <span
                    key={monday}
                    className="whitespace-nowrap text-label"
                    style={placeOf(-1, week)}
                  >
                    {dayLabel(monday, language, { month: 'short' })}
                  </span>
                ),
            )}
            {[0, 2, 4, 6].map((weekday) => (
              <span
                key={weekday}
                className="self-center text-tiny leading-[0]"
                style={placeOf(weekday, -1)}
              >
                {dayLabel(weeks[0]?.[weekday] ?? '', language, { weekday: 'short' })}
              </span>
            ))}
            {days.map((day, index) => (
              <span
                key={day}
                data-day={day}
                data-level={levelOf(focusOf(day).focusMs)}
                data-chosen={index === chosen || undefined}
                className="heat chart-ink"
                style={placeOf(index % 7, Math.floor(index / 7))}
                onPointerEnter={() => choose(index)}
              />
            ))}
          </div>
        )}
      </ChartSlider>
      <p className="heat-more text-caption text-ink-soft">{t('year.scroll')}</p>
      <HeatLegend />
    </div>
  );
}

/** The square of a day in the grid; the first row names months, the first column weekdays. */
const placeOf = (weekday: number, week: number) => ({ gridArea: `${weekday + 2} / ${week + 2}` });

function HeatLegend() {
  const { t } = useTranslation(statisticsTexts);
  return (
    <p className="flex flex-wrap items-center gap-2 text-caption text-ink-soft">
      {t('year.less')}
      <span aria-hidden="true" className="flex gap-1">
        {[0, 1, 2, 3, 4].map((level) => (
          <span key={level} className="heat chart-ink w-3" data-level={level} />
        ))}
      </span>
      {t('year.more')}
      <span className="sm:ml-2">{t('year.levels')}</span>
    </p>
  );
}
