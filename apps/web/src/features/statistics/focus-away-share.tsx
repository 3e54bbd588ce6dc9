import type { DayFigures } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { statisticsTexts } from './statistics-texts.ts';
import { StatusBar, statusFills } from './status-bar.tsx';

/** Focus against away: one bar, and both in words, which is also the legend of the chart above it. */
export function FocusAwayShare({ focusMs, awayMs }: Omit<DayFigures, 'day'>) {
  const { t } = useTranslation(statisticsTexts);
  const focusPercent = Math.round((focusMs / Math.max(1, focusMs + awayMs)) * 100);
  const shares = [
    { status: 'focus', ms: focusMs, percent: focusPercent },
    { status: 'away', ms: awayMs, percent: 100 - focusPercent },
  ] as const;
  return (
    <div className="grid gap-3">
      <StatusBar
        parts={[
          { status: 'focus', from: 0, to: focusMs },
          { status: 'away', from: focusMs, to: focusMs + awayMs },
        ]}
        from={0}
        to={focusMs + awayMs}
      />
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-small tabular-nums">
        {shares.map(({ status, ms, percent }) => (
          <div key={status} className="flex items-center gap-2">
            <dt className="flex items-center gap-2 text-ink-soft">
              <span className={`size-3 rounded-[3px] border ${statusFills[status]}`} />
              {t(`share.${status}`)}
            </dt>
            <dd>
              <span className="font-semibold">{durationText(t, ms)}</span>{' '}
              <span className="text-ink-soft">{percent}%</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
