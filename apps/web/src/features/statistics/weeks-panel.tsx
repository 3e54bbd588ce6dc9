import {
  addDays,
  DEFAULT_TIME_ZONE,
  type FocusSettings,
  type Weeks,
  weekdayOf,
} from '@mogakgong/contract';
import { type StatisticsText, statisticsTexts } from '../../shared/i18n/namespaces.ts';
import './statistics.css';
import type { Loaded } from '../../shared/api/index.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { dateFormat, dayLabel } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { ChartPanel, FiguresTable } from './chart-panel.tsx';

import { weekOf } from './study-days.ts';

/** Last week is pale: the same colour at another lightness. */
const FILLS = { this: 'bg-lamp', last: 'bg-lamp-wash' } as const;

interface WeeksPanelProps {
  readonly weeks: Loaded<Weeks>;
  readonly settings: FocusSettings | null;
}

/** This week so far beside last week up to the same moment: figures without a judgement. */
export function WeeksPanel({ weeks, settings }: WeeksPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  const empty = weeks.value && emptyText(t, weeks.value);
  return (
    <ChartPanel
      title={t('weeks.title')}
      name={t('weeks.title')}
      empty={empty ?? false}
      chart={
        <LoadState of={weeks}>
          {(value) => <WeekBars weeks={value} settings={settings} />}
        </LoadState>
      }
      table={weeks.value && empty === null && <WeeksTable weeks={weeks.value} />}
    />
  );
}

/** The text where there is nothing to compare, else null. */
function emptyText(t: StatisticsText, { hasEarlier, thisWeek, lastWeek }: Weeks): string | null {
  if (!hasEarlier) return t('weeks.empty');
  return focusOf([...thisWeek, ...lastWeek]) === 0 ? t('weeks.nothing') : null;
}

const focusOf = (days: Weeks['thisWeek']) => days.reduce((sum, { focusMs }) => sum + focusMs, 0);

interface WeekBarsProps {
  readonly weeks: Weeks;
  readonly settings: FocusSettings | null;
}

function WeekBars({ weeks, settings }: WeekBarsProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const zone = settings?.timeZone ?? DEFAULT_TIME_ZONE;
  const sums = { this: focusOf(weeks.thisWeek), last: focusOf(weeks.lastWeek) };
  const longestMs = Math.max(sums.this, sums.last);
  const until = dateFormat(language, {
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).format(weeks.lastWeekUntilMs);
  return (
    <>
      <p className="tabular-nums">
        {t('weeks.summary', {
          thisWeek: durationText(t, sums.this),
          lastWeek: durationText(t, sums.last),
        })}
      </p>
      <div aria-hidden="true" className="grid gap-3 text-small tabular-nums">
        {(['this', 'last'] as const).map((week) => (
          <div key={week} className="grid gap-1">
            <span className="flex justify-between gap-4">
              <span className="text-ink-soft">{t(`weeks.${week}`)}</span>
              <span className="font-semibold">{durationText(t, sums[week])}</span>
            </span>
            {sums[week] > 0 && (
              <span
                className={`chart-ink h-4 rounded-small border border-lamp-ink ${FILLS[week]}`}
                style={{ width: `${(100 * sums[week]) / longestMs}%` }}
              />
            )}
          </div>
        ))}
      </div>
      <p className="text-caption text-ink-soft">
        {t('weeks.rule', {
          start: timeOfDayText(settings?.dayStartMinutes ?? 0),
          until,
          zone,
        })}
      </p>
    </>
  );
}

/** Weekday by weekday up to today, and the sums. */
function WeeksTable({ weeks: { today, thisWeek, lastWeek } }: { readonly weeks: Weeks }) {
  const { t, language } = useTranslation(statisticsTexts);
  const textOf = (days: Weeks['thisWeek'], day: string) =>
    durationText(t, days.find((each) => each.day === day)?.focusMs ?? 0);
  const days = weekOf(today).slice(0, weekdayOf(today) + 1);
  return (
    <FiguresTable
      caption={t('weeks.title')}
      head={[t('table.day'), t('weeks.this'), t('weeks.last')]}
      rows={[
        ...days.map(
          (day) =>
            [
              dayLabel(day, language, { weekday: 'long' }),
              textOf(thisWeek, day),
              textOf(lastWeek, addDays(day, -7)),
            ] as const,
        ),
        [t('weeks.sum'), durationText(t, focusOf(thisWeek)), durationText(t, focusOf(lastWeek))],
      ]}
    />
  );
}
