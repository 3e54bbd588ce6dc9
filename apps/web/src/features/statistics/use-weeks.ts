import { getWeeks, type UserId, type Weeks } from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { figuresKey, refetchedFigures, statisticsCall } from './use-statistics.ts';

/** This week so far, and last week up to the same moment. */
export function useWeeks(userId: UserId): Loaded<Weeks> {
  return useLoaded(
    [...figuresKey(userId), 'weeks'],
    (signal) => call(getWeeks, {}, statisticsCall(signal)),
    refetchedFigures,
  );
}
