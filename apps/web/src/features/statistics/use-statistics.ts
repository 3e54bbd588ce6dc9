import { getStatistics, type Statistics, type UserId } from '@mogakgong/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, type Loaded } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import type { SendOptions } from '../../shared/api/send.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { useTodayMinutes } from '../../shared/today/today.ts';

/** The fallback text when neither the server nor the status has one (specification §8). */
export const statisticsCall = (signal?: AbortSignal) => ({
  signal,
  fallback: translate('today.loadFailed'),
});

/** Cache key prefix of every figure that sums the learner's intervals. */
export const figuresKey = (userId: UserId) => [...learnerKey(userId), 'figures'] as const;

/** Loads figures, again on returning to the page: another tab or device may have studied. */
export function useFigures<Figures>(
  userId: UserId,
  key: QueryKey,
  load: (options: SendOptions) => Promise<Figures>,
): Loaded<Figures> {
  return useLoaded([...figuresKey(userId), ...key], (signal) => load(statisticsCall(signal)), {
    refetchOnWindowFocus: 'always',
  });
}

/**
 * Totals, attendance and days in a row. Reloads all figures whenever the server's figures of today have
 * changed: they are sums over the same intervals, and must not contradict each other on one page.
 */
export function useStatistics(userId: UserId): Loaded<Statistics> {
  const minutes = useTodayMinutes(userId);
  const knownRef = useRef(minutes);
  useEffect(() => {
    const known = knownRef.current;
    knownRef.current = minutes;
    if (known === null || known === minutes) return;
    refreshFigures(userId);
  }, [minutes, userId]);
  return useFigures(userId, ['totals'], (options) => call(getStatistics, {}, options));
}

/** Reloads every figure: a seat was taken or left, which today's sum alone may not show. */
export function refreshFigures(userId: UserId): void {
  void queryClient.invalidateQueries({ queryKey: figuresKey(userId) });
}
