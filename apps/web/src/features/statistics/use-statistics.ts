import {
  getStatistics,
  getStudyDays,
  type Statistics,
  type StudyDays,
  type UserId,
} from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { call, type Loaded, useLoaded } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { useTodayMinutes } from '../../shared/today/index.ts';
import { type StatisticsText, useStatisticsText } from './statistics-texts.ts';
import { yearAround } from './study-days.ts';

/** What is said when neither the server nor the status has a text (specification §8). */
export const statisticsCall = (t: StatisticsText, signal?: AbortSignal) => ({
  signal,
  fallback: t('load.statisticsFailed'),
});

/** Totals, attendance and days in a row. */
export function useStatistics(): Loaded<Statistics> {
  const t = useStatisticsText();
  return useLoaded((signal) => call(getStatistics, {}, statisticsCall(t, signal)));
}

/** Every day with any time of the last 52 weeks. */
export function useStudyDays(): Loaded<StudyDays> {
  const t = useStatisticsText();
  return useLoaded((signal) =>
    call(getStudyDays, { query: yearAround(serverNowMs()) }, statisticsCall(t, signal)),
  );
}

/**
 * Asks for other figures anew whenever what the server says of today is another: they are sums over
 * the same intervals, and must not contradict each other on one page.
 */
export function useReloadWithToday(
  userId: UserId,
  figures: readonly Pick<Loaded<unknown>, 'reload'>[],
): void {
  const minutes = useTodayMinutes(userId);
  const figuresRef = useRef(figures);
  figuresRef.current = figures;
  const knownRef = useRef(minutes);
  useEffect(() => {
    const isFirst = knownRef.current === null;
    const isOther = knownRef.current !== minutes;
    knownRef.current = minutes;
    if (isOther && !isFirst) for (const { reload } of figuresRef.current) reload();
  }, [minutes]);
}
