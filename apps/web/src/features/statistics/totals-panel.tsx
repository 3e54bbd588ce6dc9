import type { Statistics } from '@mogakgong/contract';
import type { Loaded } from '../../shared/api/index.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Figure, totalTexts } from './figure.tsx';

/** All-time totals in four figures. */
export function TotalsPanel({ statistics }: { readonly statistics: Loaded<Statistics> }) {
  const { t } = useTranslation(studyTexts);
  return (
    <Panel title={t('totals.title')}>
      <LoadState of={statistics}>
        {(value) => (
          <dl className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
            {(['focus', 'average', 'attendance', 'streak'] as const).map((name) => (
              <Figure key={name} name={t(`totals.${name}`)} value={totalTexts(t, value)[name]} />
            ))}
          </dl>
        )}
      </LoadState>
    </Panel>
  );
}
