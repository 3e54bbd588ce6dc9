import { getStudyDays, type StudyDays, type UserId } from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { yearAround } from './study-days.ts';
import { figuresKey, refetchedFigures, statisticsCall } from './use-statistics.ts';

/** Every day with any time of the last 52 weeks. */
export function useStudyDays(userId: UserId): Loaded<StudyDays> {
  return useLoaded(
    [...figuresKey(userId), 'days'],
    (signal) => call(getStudyDays, { query: yearAround(serverNowMs()) }, statisticsCall(signal)),
    refetchedFigures,
  );
}
