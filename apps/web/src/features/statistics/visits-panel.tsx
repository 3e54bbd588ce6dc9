import { getVisits, type Visit } from '@mogakgong/contract';
import { useState } from 'react';
import { ApiError, call, useLoaded } from '../../shared/api/index.ts';
import { noteAnsweredTime } from '../../shared/clock/index.ts';
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

const never = new AbortController().signal;

async function loadVisits(
  t: StatisticsText,
  before: number | undefined,
  signal = never,
): Promise<VisitPage> {
  const sentAtMs = Date.now();
  const page = await call(getVisits, { query: { before } }, statisticsCall(t, signal));
  noteAnsweredTime(page.serverNowMs, sentAtMs);
  return page;
}

interface VisitsPanelProps {
  /** Where the learner's days are counted. */
  readonly timeZone: string | undefined;
}

/** Every visit with its intervals: where each number comes from. */
export function VisitsPanel({ timeZone }: VisitsPanelProps) {
  const t = useStatisticsText();
  const visits = useLoaded((signal) => loadVisits(t, undefined, signal));
  const [older, setOlder] = useState<'none' | 'loading' | string>('none');
  const loadOlder = async (page: VisitPage) => {
    setOlder('loading');
    try {
      const next = await loadVisits(t, page.visits.at(-1)?.id);
      visits.replace({ ...next, visits: [...page.visits, ...next.visits] });
      setOlder('none');
    } catch (error) {
      setOlder(error instanceof ApiError ? error.message : t('load.failed'));
    }
  };
  return (
    <Panel title={t('visits.title')} lead={t('visits.lead')}>
      <LoadState of={visits}>
        {(page) =>
          page.visits.length === 0 ? (
            <p className="grid min-h-24 content-center text-center text-ink-soft">
              {t('visits.empty')}
            </p>
          ) : (
            <>
              <ul className="grid gap-2">
                {page.visits.map((visit) => (
                  <VisitRow
                    key={visit.id}
                    visit={visit}
                    serverNowMs={page.serverNowMs}
                    timeZone={timeZone}
                  />
                ))}
              </ul>
              {older !== 'none' && older !== 'loading' && (
                <p role="alert" className="text-center text-danger text-small">
                  {older}
                </p>
              )}
              {page.hasOlder && (
                <div className="grid justify-center">
                  <Button
                    size="small"
                    loading={older === 'loading'}
                    onClick={() => void loadOlder(page)}
                  >
                    {t('visits.older')}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </LoadState>
    </Panel>
  );
}
