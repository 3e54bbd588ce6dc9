import {
  getStudyDays,
  getWeeks,
  type StudyDays,
  type UserId,
  type Weeks,
} from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { yearAround } from './study-days.ts';
import { useFigures } from './use-statistics.ts';

/** Every day with any time of the last 52 weeks. */
export function useStudyDays(userId: UserId): Loaded<StudyDays> {
  return useFigures(userId, ['days'], (options) =>
    call(getStudyDays, { query: yearAround(serverNowMs()) }, options),
  );
}

/** This week so far, and last week up to the same moment. */
export function useWeeks(userId: UserId): Loaded<Weeks> {
  return useFigures(userId, ['weeks'], (options) => call(getWeeks, {}, options));
}
