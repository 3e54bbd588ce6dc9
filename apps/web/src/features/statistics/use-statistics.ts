import {
  getStatistics,
  getStudyDays,
  type Statistics,
  type StudyDays,
  type Today,
} from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { call, type Loaded, useLoaded } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { type StatisticsText, useStatisticsText } from './statistics-texts.ts';
import { yearAround } from './study-days.ts';

/** What is said when neither the server nor the status has a text (specification §8). */
export const statisticsCall = (t: StatisticsText, signal: AbortSignal) => ({
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
 * Asks for other figures anew whenever today's is another, which is asked for every minute: they are
 * sums over the same intervals, and must not contradict each other on one page.
 */
export function useReloadWithToday(
  today: Today | null,
  figures: readonly Pick<Loaded<unknown>, 'reload'>[],
): void {
  const figuresRef = useRef(figures);
  figuresRef.current = figures;
  const knownRef = useRef(today);
  useEffect(() => {
    const isFirst = knownRef.current === null;
    const isOther = knownRef.current !== today;
    knownRef.current = today;
    if (isOther && !isFirst) for (const { reload } of figuresRef.current) reload();
  }, [today]);
}
