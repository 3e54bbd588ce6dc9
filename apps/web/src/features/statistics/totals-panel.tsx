import type { Statistics } from '@mogakgong/contract';
import type { Loaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { durationText } from './durations.ts';
import { Figure, Figures } from './figures.tsx';
import { statisticsTexts } from './statistics-texts.ts';

/** Everything so far, in four figures. */
export function TotalsPanel({ statistics }: { readonly statistics: Loaded<Statistics> }) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <Panel title={t('totals.title')}>
      <LoadState of={statistics}>
        {(value) =>
          value.totalStudyTime + value.totalAwayTime === 0 ? (
            <p className="text-ink-soft">{t('totals.empty')}</p>
          ) : (
            <Figures>
              <Figure
                name={t('totals.focus')}
                value={durationText(t, value.totalStudyTime * 1_000)}
              />
              <Figure
                name={t('totals.away')}
                value={durationText(t, value.totalAwayTime * 1_000)}
              />
              <Figure
                name={t('totals.attendance')}
                value={t('days.count', { count: value.totalAttendanceDays })}
              />
              <Figure
                name={t('totals.streak')}
                value={t('days.count', { count: value.continueAttendanceDays })}
              />
            </Figures>
          )
        }
      </LoadState>
    </Panel>
  );
}
