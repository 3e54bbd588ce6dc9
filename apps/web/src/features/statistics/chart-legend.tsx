import type { DayFigures } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { StatusSwatch } from './status-bar.tsx';

/** The chart's colours with their totals; all but focus only where there is any. */
export function ChartLegend({ focusMs, manualMs, awayMs }: Omit<DayFigures, 'day'>) {
  const { t } = useTranslation(statisticsTexts);
  const sums = [
    { status: 'focus', ms: focusMs },
    { status: 'manual', ms: manualMs },
    { status: 'away', ms: awayMs },
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-small tabular-nums">
      {sums.map(
        ({ status, ms }) =>
          (status === 'focus' || ms > 0) && (
            <div key={status} className="flex items-center gap-2 text-ink-soft">
              <dt className="flex items-center gap-2">
                <StatusSwatch status={status} />
                {t(`legend.${status}`)}
              </dt>
              <dd>{durationText(t, ms)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
