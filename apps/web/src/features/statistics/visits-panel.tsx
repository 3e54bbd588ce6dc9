import { getVisits, type Visit } from '@mogakgong/contract';
import { useState } from 'react';
import { ApiError, call, useLoaded } from '../../shared/api/index.ts';
import { answerInTime } from '../../shared/clock/index.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from './load-state.tsx';
import { Panel } from './panel.tsx';
import { type StatisticsText, useStatisticsText } from './statistics-texts.ts';
import { statisticsCall } from './use-statistics.ts';
import { VisitRow } from './visit-row.tsx';

interface VisitPage {
  readonly visits: readonly Visit[];
  readonly hasOlder: boolean;
  readonly serverNowMs: number;
}

/** Visits that are shown before the learner asks for more. */
const FIRST_SHOWN = 6;

const never = new AbortController().signal;

function loadVisits(
  t: StatisticsText,
  before: number | undefined,
  signal = never,
): Promise<VisitPage> {
  return answerInTime(() => call(getVisits, { query: { before } }, statisticsCall(t, signal)));
}

interface VisitsPanelProps {
  /** Where the learner's days are counted. */
  readonly timeZone: string | undefined;
}

/** Every visit with its intervals: where each number comes from. */
export function VisitsPanel({ timeZone }: VisitsPanelProps) {
  const t = useStatisticsText();
  const visits = useLoaded((signal) => loadVisits(t, undefined, signal));
  return (
    <Panel title={t('visits.title')} lead={t('visits.lead')}>
      <LoadState of={visits}>
        {(page) =>
          page.visits.length === 0 ? (
            <p className="grid min-h-24 content-center text-center text-ink-soft">
              {t('visits.empty')}
            </p>
          ) : (
            <VisitList page={page} timeZone={timeZone} onPage={visits.replace} />
          )
        }
      </LoadState>
    </Panel>
  );
}

interface VisitListProps extends VisitsPanelProps {
  readonly page: VisitPage;
  readonly onPage: (page: VisitPage) => void;
}

function VisitList({ page, timeZone, onPage }: VisitListProps) {
  const t = useStatisticsText();
  const [isWhole, setIsWhole] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<string>();
  const shown = isWhole ? page.visits : page.visits.slice(0, FIRST_SHOWN);
  const showMore = async () => {
    setError(undefined);
    if (!isWhole) {
      setIsWhole(true);
      return;
    }
    setIsLoading(true);
    try {
      const next = await loadVisits(t, page.visits.at(-1)?.id);
      onPage({ ...next, visits: [...page.visits, ...next.visits] });
    } catch (thrown) {
      setError(thrown instanceof ApiError ? thrown.message : t('load.failed'));
    }
    setIsLoading(false);
  };
  return (
    <>
      <ul className="grid gap-2">
        {shown.map((visit) => (
          <VisitRow
            key={visit.id}
            visit={visit}
            serverNowMs={page.serverNowMs}
            timeZone={timeZone}
          />
        ))}
      </ul>
      {error && (
        <p role="alert" className="text-center text-danger text-small">
          {error}
        </p>
      )}
      {(shown.length < page.visits.length || page.hasOlder) && (
        <div className="grid justify-center">
          <Button size="small" loading={isLoading} onClick={() => void showMore()}>
            {t('visits.older')}
          </Button>
        </div>
      )}
    </>
  );
}
