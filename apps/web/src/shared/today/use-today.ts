import { type Today, todayMs, type UserId } from '@mogakgong/contract';
import { useEffect, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Loaded } from '../api/index.ts';
import { useSecond } from '../clock/index.ts';
import { reloadToday } from './asking.ts';
import { takeToday, todayOf, useTodayStore } from './today.ts';
import { watchToday } from './watching.ts';

/** Keeps today up to date while the caller is shown. */
export function useTodayWatch(userId: UserId): void {
  useEffect(() => watchToday(userId), [userId]);
}

/** What the learner studied today, kept up to date; the clock in it runs on between two answers. */
export function useToday(userId: UserId): Loaded<Today> {
  useTodayWatch(userId);
  const state = useTodayStore(useShallow((store) => todayOf(store, userId)));
  return useMemo(() => {
    const { today: value, error, isLoading } = state;
    return {
      value,
      error,
      isLoading,
      hasFailed: value === null && error !== null,
      reload: () => void reloadToday(userId),
      replace: (today: Today) => takeToday(userId, today),
    };
  }, [state, userId]);
}

/** The learner's day that today is, or null until it is known. */
export function useStudyDay(userId: UserId): string | null {
  return useTodayStore((state) => todayOf(state, userId).today?.day ?? null);
}

/**
 * What the server said of today, as a key that is another one whenever sums over days are: the day,
 * its whole minutes, and whether it runs. Null until it is known.
 */
export function useTodayMinutes(userId: UserId): string | null {
  return useTodayStore((state) => {
    const { confirmed } = todayOf(state, userId);
    if (confirmed === null) return null;
    const minutes = Math.floor(todayMs(confirmed, confirmed.serverNowMs) / 60_000);
    return `${confirmed.day} ${minutes} ${confirmed.focusMs} ${confirmed.runningSinceMs !== null}`;
  });
}

/** Focused today, in whole seconds that tick; null until it is known. */
export function useTodaySeconds(userId: UserId): number | null {
  const today = useTodayStore((state) => todayOf(state, userId).today);
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
