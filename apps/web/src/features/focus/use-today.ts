import { todayMs, type UserId } from '@mogakgong/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { onClockDoubt, onWake, useSecond } from '../../shared/clock/index.ts';
import { knownToday, loadToday, subscribeToToday } from './today.ts';

/** Specification §9. */
const RELOAD_EVERY_MS = 60_000;

/** Asks for today now, every minute, and whenever the page may have missed something. */
export function useTodayLoading(userId: UserId): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = () => {
      clearTimeout(timer);
      timer = setTimeout(load, RELOAD_EVERY_MS);
      void loadToday(userId);
    };
    load();
    const stops = [onWake(load), onClockDoubt(load)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [userId]);
}

/** The learner's day that today is, or null until it is known. */
export function useStudyDay(userId: UserId): string | null {
  return useSyncExternalStore(subscribeToToday, () => knownToday(userId)?.day ?? null);
}

/** Focused today, in whole seconds that tick; null until it is known. */
export function useTodaySeconds(userId: UserId): number | null {
  const today = useSyncExternalStore(subscribeToToday, () => knownToday(userId));
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
