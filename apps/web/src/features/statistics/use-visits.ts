import { getVisits, type RouteReply, type UserId, type Visit } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Loaded } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { timedCall } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { type StatisticsText, statisticsTexts } from './statistics-texts.ts';
import { figuresKey, statisticsCall } from './use-statistics.ts';

/** Visits, the latest first. */
export type VisitPage = RouteReply<typeof getVisits>;

function loadVisits(t: StatisticsText, before?: number, signal?: AbortSignal): Promise<VisitPage> {
  return timedCall(() => call(getVisits, { query: { before } }, statisticsCall(t, signal)));
}

/** The learner's latest visits. */
export function useLatestVisits(userId: UserId): Loaded<VisitPage> {
  const { t } = useTranslation(statisticsTexts);
  return useLoaded([...figuresKey(userId), 'visits'], (signal) => loadVisits(t, undefined, signal));
}

/** Keeps older visits beside the latest, which are asked for again every minute. */
export function useOlderVisits(latest: VisitPage) {
  const { t } = useTranslation(statisticsTexts);
  const [kept, setKept] = useState<VisitPage | null>(null);
  const visits = kept === null ? latest.visits : merged(latest.visits, kept.visits);
  const loading = useMutation(
    {
      mutationFn: () => loadVisits(t, visits.at(-1)?.id),
      onSuccess: (next) => setKept({ ...next, visits: [...visits, ...next.visits] }),
    },
    queryClient,
  );
  return { visits, hasOlder: (kept ?? latest).hasOlder, loading };
}

function merged(latest: readonly Visit[], kept: readonly Visit[]): Visit[] {
  const ids = new Set(latest.map(({ id }) => id));
  return [...latest, ...kept.filter(({ id }) => !ids.has(id))];
}

/** A visit some time after the server described it: what runs in it has grown. */
export function visitAfter(visit: Visit, elapsedMs: number): Visit {
  const running = visit.intervals.find(({ endedAtMs }) => endedAtMs === null);
  if (running?.status === 'focus') return { ...visit, focusMs: visit.focusMs + elapsedMs };
  if (running?.status === 'away') return { ...visit, awayMs: visit.awayMs + elapsedMs };
  return visit;
}
