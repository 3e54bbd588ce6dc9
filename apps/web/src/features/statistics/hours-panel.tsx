import { getStudyHours, type StudyDay, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { type Bar, BarChart } from './bar-chart.tsx';
import { ChartPanel, FiguresTable, Spans } from './chart-panel.tsx';
import { readingOf } from './day-bars-panel.tsx';
import { durationText } from './durations.ts';
import { statisticsTexts } from './statistics-texts.ts';
import { addDays } from './study-days.ts';
import { figuresKey, statisticsCall } from './use-statistics.ts';

type Span = 'month' | 'year';

/** Days that each choice looks back on, today included. */
const SPAN_DAYS = { month: 30, year: 364 } as const;
const LABEL_EVERY_HOURS = 6;

interface HoursPanelProps {
  /** The learner's day that today is. */
  readonly day: StudyDay;
  readonly userId: UserId;
}

/** In which hours of the day the learner focuses. */
export function HoursPanel({ userId, day }: HoursPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  const [span, setSpan] = useState<Span>('month');
  const query = { from: addDays(day, 1 - SPAN_DAYS[span]), to: day };
  const hours = useLoaded([...figuresKey(userId), 'hours', query], (signal) =>
    call(getStudyHours, { query }, statisticsCall(t, signal)),
  );
  const hasFocus = hours.value?.focusMs.some((ms) => ms > 0) ?? false;
  return (
    <ChartPanel
      title={t('hours.title')}
      spans={
        <Spans
          value={span}
          labels={{ month: t('hours.month'), year: t('hours.year') }}
          onChange={setSpan}
        />
      }
      chart={hasFocus ? t('hours.title') : null}
    >
      {(isTable) => (
        <LoadState of={hours}>
          {({ focusMs }) => <Hours focusMs={focusMs} isTable={isTable} />}
        </LoadState>
      )}
    </ChartPanel>
  );
}

interface HoursProps {
  readonly focusMs: readonly number[];
  readonly isTable: boolean;
}

function Hours({ focusMs, isTable }: HoursProps) {
  const { t } = useTranslation(statisticsTexts);
  const bestMs = Math.max(...focusMs);
  const best = focusMs.indexOf(bestMs);
  if (bestMs <= 0) {
    return (
      <p className="grid min-h-40 content-center text-center text-ink-soft">{t('hours.empty')}</p>
    );
  }
  const nameOf = (hour: number) => t('hours.range', { from: hour, to: hour + 1 });
  if (isTable) {
    return (
      <FiguresTable
        caption={t('hours.title')}
        head={[t('table.hour'), t('table.focus')]}
        rows={focusMs.map((ms, hour) => [nameOf(hour), durationText(t, ms)])}
      />
    );
  }
  const bars = focusMs.map(
    (ms, hour): Bar => ({
      key: String(hour),
      axisLabel: hour % LABEL_EVERY_HOURS === 0 ? t('hours.axis', { hour }) : '',
      reading: readingOf(t, nameOf(hour), { focusMs: ms, awayMs: 0 }),
      focusMs: ms,
      awayMs: 0,
      isMarked: hour === best,
    }),
  );
  return (
    <BarChart
      label={t('chart.label', { name: t('hours.title') })}
      bars={bars}
      summary={t('hours.best', { hours: nameOf(best), focus: durationText(t, bestMs) })}
    />
  );
}
