import { useState } from 'react';
import { type Loaded, messageOf } from '../../shared/api/index.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

import { useOlderVisits, type VisitPage } from './use-visits.ts';
import { VisitRow } from './visit-row.tsx';

/** Visits shown before the learner asks for more. */
const FIRST_SHOWN = 6;

/** Every visit with its intervals: the source of each number. */
export function VisitsPanel({ latest }: { readonly latest: Loaded<VisitPage> }) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <Panel title={t('visits.title')} lead={t('visits.lead')}>
      <LoadState of={latest}>{(page) => <VisitList latest={page} />}</LoadState>
    </Panel>
  );
}

function VisitList({ latest }: { readonly latest: VisitPage }) {
  const { t } = useTranslation(statisticsTexts);
  const [isWhole, setIsWhole] = useState(false);
  const { visits, hasOlder, loading } = useOlderVisits(latest);
  const shown = isWhole ? visits : visits.slice(0, FIRST_SHOWN);
  const showMore = () => (isWhole ? loading.mutate() : setIsWhole(true));
  return (
    <>
      <ul className="grid gap-2">
        {shown.map((visit) => (
          <VisitRow key={visit.id} visit={visit} knownAtMs={latest.serverNowMs} />
        ))}
      </ul>
      <FormError text={loading.error ? messageOf(loading.error) : undefined} />
      {(shown.length < visits.length || hasOlder) && (
        <div className="grid justify-center">
          <Button size="small" loading={loading.isPending} onClick={showMore}>
            {t('visits.older')}
          </Button>
        </div>
      )}
    </>
  );
}
