import {
  getVisits,
  type RouteInput,
  type RouteReply,
  type UserId,
  type Visit,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Loaded } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import type { SendOptions } from '../../shared/api/send.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { timedCall } from '../../shared/clock/index.ts';
import { figuresKey, statisticsCall, useFigures } from './use-statistics.ts';

/** Visits, the latest first. */
export type VisitPage = RouteReply<typeof getVisits>;

type VisitsQuery = RouteInput<typeof getVisits>['query'];

function loadVisits(query: VisitsQuery, options: SendOptions): Promise<VisitPage> {
  return timedCall(() => call(getVisits, { query }, options));
}

/** The learner's latest visits. */
export function useLatestVisits(userId: UserId): Loaded<VisitPage> {
  return useFigures(userId, ['visits'], (options) => loadVisits({}, options));
}

/** Another tab or device may have taken or left a seat. */
const REFRESH_MS = 60_000;

const latestVisitKey = (userId: UserId) => [...figuresKey(userId), 'visit'];

/** Only the latest visit: it has no end while the learner is seated anywhere. */
export function useLatestVisit(userId: UserId): Loaded<VisitPage> {
  const load = (signal: AbortSignal) => loadVisits({ count: 1 }, statisticsCall(signal));
  return useLoaded(latestVisitKey(userId), load, {
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
}

/** Removes the latest visit from the cache, and loads it again where it is shown. */
export function resetLatestVisit(userId: UserId): void {
  void queryClient.resetQueries({ queryKey: latestVisitKey(userId) });
}

/** Keeps older visits beside the latest ones, which are reloaded every minute. */
export function useOlderVisits(latest: VisitPage) {
  const [kept, setKept] = useState<VisitPage | null>(null);
  const visits = kept === null ? latest.visits : merged(latest.visits, kept.visits);
  const loading = useMutation({
    mutationFn: () => loadVisits({ before: visits.at(-1)?.id }, statisticsCall()),
    onSuccess: (next) => setKept({ ...next, visits: [...visits, ...next.visits] }),
  });
  return { visits, hasOlder: (kept ?? latest).hasOlder, loading };
}

function merged(latest: readonly Visit[], kept: readonly Visit[]): Visit[] {
  const ids = new Set(latest.map(({ id }) => id));
  return [...latest, ...kept.filter(({ id }) => !ids.has(id))];
}

/** A visit some time after the server described it: its running interval has grown. */
export function visitAfter(visit: Visit, elapsedMs: number): Visit {
  const running = visit.intervals.find(({ endedAtMs }) => endedAtMs === null);
  if (running?.status === 'focus') return { ...visit, focusMs: visit.focusMs + elapsedMs };
  if (running?.status === 'away') return { ...visit, awayMs: visit.awayMs + elapsedMs };
  return visit;
}
