import { getStudyHours, type StudyDay, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { BarChart } from './bar-chart.tsx';
import { ChartPanel, FiguresTable, Spans } from './chart-panel.tsx';

import { lastDays } from './study-days.ts';
import { useFigures } from './use-statistics.ts';

type Span = 'month' | 'year';

/** Days covered by each choice, today included. */
const SPAN_DAYS = { month: 30, year: 364 } as const;
const LABEL_EVERY_HOURS = 6;

interface HoursPanelProps {
  /** The learner's current day. */
  readonly day: StudyDay;
  readonly userId: UserId;
}

/** Focus by hour of the day. */
export function HoursPanel({ userId, day }: HoursPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  const [span, setSpan] = useState<Span>('month');
  const query = lastDays(day, SPAN_DAYS[span]);
  const hours = useFigures(userId, ['hours', query], (options) =>
    call(getStudyHours, { query }, options),
  );
  const focusMs = hours.value?.focusMs ?? [];
  const bestMs = Math.max(0, ...focusMs);
  const best = focusMs.indexOf(bestMs);
  const nameOf = (hour: number) => t('hours.range', { from: hour, to: hour + 1 });
  const bars = focusMs.map((ms, hour) => ({
    name: nameOf(hour),
    axisLabel: hour % LABEL_EVERY_HOURS === 0 ? t('hours.axis', { hour }) : '',
    focusMs: ms,
    awayMs: 0,
    isMarked: hour === best,
  }));
  const summary = t('hours.best', { hours: nameOf(best), focus: durationText(t, bestMs) });
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
      name={t('hours.title')}
      empty={hours.value !== null && bestMs === 0 && t('hours.empty')}
      chart={
        <LoadState of={hours}>
          {() => <BarChart name={t('hours.title')} bars={bars} summary={summary} />}
        </LoadState>
      }
      table={
        bestMs > 0 && (
          <FiguresTable
            caption={t('hours.title')}
            head={[t('table.hour'), t('table.focus')]}
            rows={bars.map((bar) => [bar.name, durationText(t, bar.focusMs)])}
          />
        )
      }
    />
  );
}
