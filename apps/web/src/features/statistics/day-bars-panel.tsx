import type { DayFigures, StudyDay, StudyDays } from '@mogakgong/contract';
import { useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { type Bar, BarChart } from './bar-chart.tsx';
import { ChartPanel, FiguresTable, Spans } from './chart-panel.tsx';
import { durationText } from './durations.ts';
import { FocusAwayShare } from './focus-away-share.tsx';
import { type StatisticsText, statisticsTexts } from './statistics-texts.ts';
import { attendedDays, dayLabel, figuresByDay, monthOf, sumOf, weekOf } from './study-days.ts';

type Span = 'week' | 'month';

/** Days between two labels of a month, so that they do not touch on a phone. */
const MONTH_LABEL_EVERY = 5;

/** Focus and away of each day of this week or month, and how they stand to each other. */
export function DayBarsPanel({ studyDays: { today, days } }: { readonly studyDays: StudyDays }) {
  const { t, language } = useTranslation(statisticsTexts);
  const [span, setSpan] = useState<Span>('week');
  const figures = (span === 'week' ? weekOf(today) : monthOf(today)).map(figuresByDay(days));
  const sum = sumOf(figures);
  const title = t(`days.title.${span}`);
  const isEmpty = sum.focusMs + sum.awayMs === 0;
  const summary = t('days.summary', {
    span: t(`days.${span}`),
    focus: durationText(t, sum.focusMs),
    days: t('days.count', { count: attendedDays(figures) }),
  });
  const bars = figures.map((day) => toBar(t, language, { day, span, today }));
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
      chart={isEmpty ? null : title}
    >
      {(isTable) =>
        isEmpty ? (
          <p className="grid min-h-40 content-center text-center text-ink-soft">
            {t(`days.empty.${span}`)}
          </p>
        ) : (
          <>
            {isTable ? (
              <DaysTable caption={title} figures={figures.filter(({ day }) => day <= today)} />
            ) : (
              <BarChart label={t('chart.label', { name: title })} bars={bars} summary={summary} />
            )}
            <FocusAwayShare {...sum} />
          </>
        )
      }
    </ChartPanel>
  );
}

interface BarOf {
  readonly day: DayFigures;
  readonly span: Span;
  readonly today: StudyDay;
}

function toBar(t: StatisticsText, language: string, { day: figures, span, today }: BarOf): Bar {
  const { day, focusMs, awayMs } = figures;
  const date = Number(day.slice(8));
  const isLabelled = date === 1 || date % MONTH_LABEL_EVERY === 0;
  const axisLabel =
    span === 'week' ? dayLabel(day, language, { weekday: 'short' }) : isLabelled ? `${date}` : '';
  return {
    key: day,
    axisLabel,
    focusMs,
    awayMs,
    isMarked: day === today,
    reading: readingOf(t, dayLabel(day, language), figures),
  };
}

/** What a day's figures say in one line. */
export function readingOf(
  t: StatisticsText,
  name: string,
  { focusMs, awayMs }: Omit<DayFigures, 'day'>,
): string {
  if (focusMs + awayMs === 0) return t('reading.nothing', { name });
  const focus = durationText(t, focusMs);
  if (awayMs === 0) return t('reading.focus', { name, focus });
  return t('reading.both', { name, focus, away: durationText(t, awayMs) });
}

interface DaysTableProps {
  readonly caption: string;
  readonly figures: readonly DayFigures[];
}

/** Days, focus and away as a table. */
export function DaysTable({ caption, figures }: DaysTableProps) {
  const { t, language } = useTranslation(statisticsTexts);
  return (
    <FiguresTable
      caption={caption}
      head={[t('table.day'), t('table.focus'), t('table.away')]}
      rows={figures.map(({ day, focusMs, awayMs }) => [
        dayLabel(day, language),
        durationText(t, focusMs),
        durationText(t, awayMs),
      ])}
    />
  );
}
