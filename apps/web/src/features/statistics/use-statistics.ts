import {
  type FocusSettings,
  getFocusSettings,
  getStatistics,
  getStudyDays,
  type Statistics,
  type StudyDays,
} from '@mogakgong/contract';
import { call, type Loaded, useLoaded } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { type StatisticsText, useStatisticsText } from './statistics-texts.ts';
import { yearAround } from './study-days.ts';

/** As often as today's focus, which is the sum's last part (specification §9). */
const RELOAD_EVERY_MS = 60_000;

/** What is said when neither the server nor the status has a text (specification §8). */
export const statisticsCall = (t: StatisticsText, signal: AbortSignal) => ({
  signal,
  fallback: t('load.statisticsFailed'),
});

/** Totals, attendance and days in a row. */
export function useStatistics(): Loaded<Statistics> {
  const t = useStatisticsText();
  return useLoaded((signal) => call(getStatistics, {}, statisticsCall(t, signal)), {
    everyMs: RELOAD_EVERY_MS,
  });
}

/** Every day with any time of the last 52 weeks. */
export function useStudyDays(): Loaded<StudyDays> {
  const t = useStatisticsText();
  return useLoaded(
    (signal) => call(getStudyDays, { query: yearAround(serverNowMs()) }, statisticsCall(t, signal)),
    { everyMs: RELOAD_EVERY_MS },
  );
}

/** How the learner's days are counted. */
export function useFocusSettings(): Loaded<FocusSettings> {
  const t = useStatisticsText();
  return useLoaded((signal) => call(getFocusSettings, {}, statisticsCall(t, signal)));
}
