import './statistics.css';
import type { StudyDay, StudyDays } from '@mogakgong/contract';
import { useEffect } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { ChartPanel } from './chart-panel.tsx';
import { DaysTable, readingOf } from './day-bars-panel.tsx';
import { durationText } from './durations.ts';
import { statisticsTexts } from './statistics-texts.ts';
import {
  attendedDays,
  dayLabel,
  figuresByDay,
  HEATMAP_WEEKS,
  heatmapWeeks,
  sumOf,
} from './study-days.ts';
import { type CursorSteps, useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

/** Focus from which a day is a step brighter. */
const LEVEL_HOURS = [0, 1, 3, 6] as const;
const HOUR_MS = 3_600_000;

const GAP = 3;
/** The smallest square of a year at one glance; where that does not fit, the year scrolls. */
const MIN_CELL = 9;
const SCROLLED_CELL = 13;
const LEFT = 28;
const TOP = 20;
const STEPS: CursorSteps = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

/** 0 for no focus, to 4 for the brightest. */
function levelOf(focusMs: number): number {
  return LEVEL_HOURS.filter((hours) => focusMs > hours * HOUR_MS).length;
}

/** The last 52 weeks, a lamp a day: the brighter, the longer it burned. */
export function YearHeatmap({ studyDays: { today, days } }: { readonly studyDays: StudyDays }) {
  const { t } = useTranslation(statisticsTexts);
  const weeks = heatmapWeeks(today);
  const lookUp = figuresByDay(days);
  const figures = weeks.flat().map(lookUp);
  const studied = figures.filter(({ focusMs }) => focusMs > 0);
  const attended = attendedDays(figures);
  return (
    <ChartPanel
      title={t('year.title')}
      lead={
        studied.length === 0
          ? t('year.empty')
          : attended === 0
            ? t('year.started')
            : t('year.summary', {
                days: t('days.count', { count: attended }),
                focus: durationText(t, sumOf(figures).focusMs),
              })
      }
      chart={studied.length > 0 ? t('year.title') : null}
    >
      {(isTable) =>
        isTable ? (
          <DaysTable
            caption={t('year.title')}
            figures={figures.filter(({ focusMs, awayMs }) => focusMs + awayMs > 0).reverse()}
          />
        ) : (
          <Heatmap weeks={weeks} focusOf={lookUp} />
        )
      }
    </ChartPanel>
  );
}

interface HeatmapProps {
  readonly weeks: readonly (readonly StudyDay[])[];
  readonly focusOf: ReturnType<typeof figuresByDay>;
}

function Heatmap({ weeks, focusOf }: HeatmapProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const [ref, available] = useWidth(960);
  const days = weeks.flat();
  const cursor = useChartCursor({
    label: t('chart.label', { name: t('year.title') }),
    count: days.length,
    start: days.length - 1,
    steps: STEPS,
    readingOf: (index) => {
      const day = days[index] ?? '';
      return readingOf(t, dayLabel(day, language, FULL_DATE), focusOf(day));
    },
  });
  const fitting = (available - LEFT) / HEATMAP_WEEKS - GAP;
  const cell = fitting < MIN_CELL ? SCROLLED_CELL : fitting;
  const pitch = cell + GAP;
  const width = LEFT + HEATMAP_WEEKS * pitch;
  const height = TOP + 7 * pitch;
  // What is narrow shows the latest weeks first.
  useEffect(() => {
    if (ref.current) ref.current.scrollLeft = width;
  }, [ref, width]);
  return (
    <div className="grid gap-3">
      <p className="min-h-6 text-small tabular-nums">{cursor.reading ?? t('year.hint')}</p>
      <div
        ref={ref}
        {...cursor.chartProps}
        className="min-w-0 overflow-x-auto rounded-small pb-1 focus-visible:outline-offset-0"
      >
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className="block"
          aria-hidden="true"
        >
          <MonthNames weeks={weeks} pitch={pitch} />
          <WeekdayNames weeks={weeks} pitch={pitch} cell={cell} />
          {days.map((day, index) => (
            <rect
              key={day}
              data-day={day}
              data-level={levelOf(focusOf(day).focusMs)}
              x={LEFT + Math.floor(index / 7) * pitch}
              y={TOP + (index % 7) * pitch}
              width={cell}
              height={cell}
              rx={cell * 0.28}
              className="heat"
              data-chosen={index === cursor.index || undefined}
              onPointerEnter={() => cursor.moveTo(index)}
            />
          ))}
        </svg>
      </div>
      <HeatLegend />
    </div>
  );
}

const FULL_DATE: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  weekday: 'long',
};

interface NamesProps {
  readonly weeks: readonly (readonly StudyDay[])[];
  readonly pitch: number;
}

/** Each month's name above its first whole week; the first week's own only if there is room for it. */
function MonthNames({ weeks, pitch }: NamesProps) {
  const { language } = useTranslation();
  return weeks.map(([monday = ''], index) => {
    const isFirst = Number(monday.slice(8)) <= 7;
    if (!isFirst || index > HEATMAP_WEEKS - 2) return null;
    return (
      <text key={monday} x={LEFT + index * pitch} y={12} className="fill-ink-soft text-label">
        {dayLabel(monday, language, { month: 'short' })}
      </text>
    );
  });
}

function WeekdayNames({ weeks, pitch, cell }: NamesProps & { readonly cell: number }) {
  const { language } = useTranslation();
  return [0, 2, 4, 6].map((weekday) => (
    <text
      key={weekday}
      x={0}
      y={TOP + weekday * pitch + cell / 2}
      dominantBaseline="central"
      className="fill-ink-soft text-tiny"
    >
      {dayLabel(weeks[0]?.[weekday] ?? '', language, { weekday: 'short' })}
    </text>
  ));
}

function HeatLegend() {
  const { t } = useTranslation(statisticsTexts);
  return (
    <p className="flex flex-wrap items-center gap-2 text-caption text-ink-soft">
      {t('year.less')}
      <svg viewBox="0 0 76 12" width="76" height="12" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((level) => (
          <rect
            key={level}
            x={level * 16}
            width="12"
            height="12"
            rx="3.5"
            className="heat"
            data-level={level}
          />
        ))}
      </svg>
      {t('year.more')}
      <span className="sm:ml-2">{t('year.levels')}</span>
    </p>
  );
}
