import { type Today, todayMs, type UserId } from '@mogakgong/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { queryClient } from '../api/query.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';
import { onClockDoubt, useSecond } from '../clock/index.ts';
import {
  askForToday,
  followOtherTabs,
  loadToday,
  todayExpected,
  todayKey,
  useExpectedClock,
} from './today.ts';

/** Specification §9. */
const RELOAD_EVERY_MS = 60_000;

/**
 * What the learner studied today, kept up to date while the caller is shown: asked for every minute,
 * and whenever the page may have missed something. However many are shown, in however many tabs, it is
 * asked once: each answer puts off everybody's next question.
 */
export function useToday(userId: UserId): Loaded<Today> {
  const loaded = useLoaded(todayKey(userId), () => askForToday(userId), {
    staleTime: RELOAD_EVERY_MS,
    refetchInterval: RELOAD_EVERY_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => followOtherTabs(userId), [userId]);
  useEffect(() => onClockDoubt(() => void loadToday(userId)), [userId]);
  const expected = useExpectedClock(userId);
  const value = useMemo(() => todayExpected(loaded.value, expected), [loaded.value, expected]);
  return { ...loaded, value };
}

/** What the server said of today, without asking for it; null until it is known. */
function useConfirmed(userId: UserId): Today | null {
  const options = { queryKey: todayKey(userId), queryFn: () => askForToday(userId) };
  return useQuery({ ...options, enabled: false }, queryClient).data ?? null;
}

/** The learner's day that today is, or null until it is known. */
export function useStudyDay(userId: UserId): string | null {
  return useConfirmed(userId)?.day ?? null;
}

/** The zone in which moments are shown to the learner; undefined until it is known. */
export function useTimeZone(userId: UserId): string | undefined {
  return useConfirmed(userId)?.timeZone;
}

/**
 * What the server said of today, as a key that changes whenever sums over days do: the day, its whole
 * minutes, and whether it runs. Null until it is known.
 */
export function useTodayMinutes(userId: UserId): string | null {
  const confirmed = useConfirmed(userId);
  if (confirmed === null) return null;
  const minutes = Math.floor(todayMs(confirmed, confirmed.serverNowMs) / 60_000);
  return `${confirmed.day} ${minutes} ${confirmed.focusMs} ${confirmed.runningSinceMs !== null}`;
}

/** Focused today, in whole seconds that tick; null until it is known. */
export function useTodaySeconds(userId: UserId): number | null {
  const confirmed = useConfirmed(userId);
  const expected = useExpectedClock(userId);
  const today = useMemo(() => todayExpected(confirmed, expected), [confirmed, expected]);
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
