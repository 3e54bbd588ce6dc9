import type { DayFigures, StudyDay, StudyDays } from '@mogakgong/contract';
import { useState } from 'react';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { BarChart } from './bar-chart.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { ChartPanel, FiguresTable, Spans } from './chart-panel.tsx';

import { attendedDays, figuresByDay, monthOf, sumOf, weekOf } from './study-days.ts';

type Span = 'week' | 'month';

/** Days between two labels of a month, so that they do not touch on a phone. */
const MONTH_LABEL_EVERY = 5;

/** Focus, time entered by hand and away of each day of this week or month. */
export function DayBarsPanel({ studyDays: { today, days } }: { readonly studyDays: StudyDays }) {
  const { t } = useTranslation(statisticsTexts);
  const figuresOf = (of: readonly StudyDay[]) => of.map(figuresByDay(days));
  // A week that has just begun has nothing to show.
  const [span, setSpan] = useState<Span>(() =>
    isNothing(figuresOf(weekOf(today))) ? 'month' : 'week',
  );
  const figures = figuresOf(span === 'week' ? weekOf(today) : monthOf(today));
  const title = t(`days.title.${span}`);
  const isEmpty = isNothing(figures);
  return (
    <ChartPanel
      title={t('days.heading')}
      spans={
        <Spans
          value={span}
          labels={{ week: t('days.week'), month: t('days.month') }}
          onChange={setSpan}
        />
      }
      name={title}
      empty={isEmpty && t(`days.empty.${span}`)}
      chart={<DayBars {...{ figures, span, today }} />}
      table={
        !isEmpty && (
          <DaysTable caption={title} figures={figures.filter(({ day }) => day <= today)} />
        )
      }
    >
      {!isEmpty && <ChartLegend {...sumOf(figures)} />}
    </ChartPanel>
  );
}

interface DayBarsProps {
  readonly figures: readonly DayFigures[];
  readonly span: Span;
  readonly today: StudyDay;
}

/** A bar for each day of a week or month. */
export function DayBars({ figures, span, today }: DayBarsProps) {
  const { t, language } = useTranslation(statisticsTexts);
  return (
    <BarChart
      name={t(`days.title.${span}`)}
      bars={figures.map((dayFigures) => ({
        ...dayFigures,
        name: dayLabel(dayFigures.day, language),
        axisLabel: axisLabel(dayFigures.day, span, language),
        isMarked: dayFigures.day === today,
      }))}
      summary={t('days.summary', {
        span: t(`days.${span}`),
        focus: durationText(t, sumOf(figures).focusMs),
        days: t('days.count', { count: attendedDays(figures) }),
      })}
    />
  );
}

export function isNothing(figures: readonly DayFigures[]): boolean {
  return figures.every(({ focusMs, awayMs, manualMs }) => focusMs + awayMs + manualMs === 0);
}

/** Weekdays, or every fifth date. */
function axisLabel(day: StudyDay, span: Span, language: string): string {
  if (span === 'week') return dayLabel(day, language, { weekday: 'short' });
  const date = Number(day.slice(8));
  return date === 1 || date % MONTH_LABEL_EVERY === 0 ? `${date}` : '';
}

interface DaysTableProps {
  readonly caption: string;
  readonly figures: readonly DayFigures[];
}

export function DaysTable({ caption, figures }: DaysTableProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const hasManual = figures.some(({ manualMs }) => manualMs > 0);
  return (
    <FiguresTable
      caption={caption}
      head={[
        ...[t('table.day'), t('table.focus'), t('table.away')],
        ...(hasManual ? [t('legend.manual')] : []),
      ]}
      rows={figures.map(({ day, focusMs, awayMs, manualMs }) => [
        dayLabel(day, language),
        durationText(t, focusMs),
        durationText(t, awayMs),
        ...(hasManual ? [durationText(t, manualMs)] : []),
      ])}
    />
  );
}
