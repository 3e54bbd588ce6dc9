import { FocusClock, getToday, stillClock, Today, todayMs, UserId } from '@mogakgong/contract';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import * as z from 'zod/mini';
import { create } from 'zustand';
import { call, type Loaded, readAccessToken } from '../api/index.ts';
import { queryClient } from '../api/query.ts';
import { useLoaded } from '../api/use-loaded.ts';
import {
  adjustClockByPush,
  onClockUncertain,
  serverNowMs,
  timedCall,
  useSecond,
} from '../clock/index.ts';
import { translate } from '../i18n/texts.ts';
import { createTabChannel } from '../lib/tab-channel.ts';

/** Specification §9. */
const RELOAD_EVERY_MS = 60_000;
/**
 * A move of another tab expires after this time: the tab may be gone. A press of this tab may wait for
 * minutes (decision 090).
 */
const OTHERS_EXPECTED_FOR_MS = 15_000;

/** Messages between tabs: a state from the server, or the result of a pending move. */
const TodayMessage = z.union([
  z.object({ userId: UserId, today: Today }),
  z.object({ userId: UserId, clock: FocusClock }),
  z.object({ userId: UserId, expected: z.nullable(FocusClock) }),
]);
const otherTabs = createTabChannel('mogakgong.today', TodayMessage);

interface Expectation {
  readonly userId: UserId | null;
  /** Null while no move is pending. */
  readonly clock: FocusClock | null;
  readonly isOfOtherTab: boolean;
}

/** Kept apart from the server's state, which does not include the move yet (decision 021). */
const useExpectation = create<Expectation>()(() => ({
  userId: null,
  clock: null,
  isOfOtherTab: false,
}));

/** Cache key of the server's state of today. */
const todayKey = (userId: UserId | null) => ['today', userId] as const;

queryClient.setQueryDefaults(['today'], {
  // Answers, notices and other tabs may arrive out of order: the newest stays.
  structuralSharing: (known, answer) => (isNewer(answer as Today, known as Today) ? answer : known),
});

const isNewer = (answer: Today, known: Today | undefined) =>
  known === undefined || answer.serverNowMs >= known.serverNowMs;

const confirmedToday = (userId: UserId) => queryClient.getQueryData<Today>(todayKey(userId));

/** Loads today and sends the answer to the other tabs; throws `ApiError`. */
async function askForToday(userId: UserId): Promise<Today> {
  const fallback = translate('today.loadFailed');
  const today = await timedCall(() => call(getToday, {}, { fallback }));
  otherTabs.post({ userId, today });
  return today;
}

/** Loads today, one request at a time. The known state stays without an answer. */
export async function loadToday(userId: UserId): Promise<void> {
  const query = { queryKey: todayKey(userId), queryFn: () => askForToday(userId), staleTime: 0 };
  // The query keeps the error, which is shown with its value.
  await queryClient.fetchQuery(query).catch(() => undefined);
}

/** Loads today again, even during a request; but not after a log-out, or before the first load. */
async function reloadToday(userId: UserId): Promise<void> {
  if (confirmedToday(userId) === undefined || readAccessToken() === null) return;
  await queryClient.cancelQueries({ queryKey: todayKey(userId) });
  await loadToday(userId);
}

/** The learner's study time of today, or null until it is known. */
export function knownToday(userId: UserId): Today | null {
  return todayExpected(userId, confirmedToday(userId), useExpectation.getState());
}

/** The shown state of today: the result of a pending move, if any. */
function todayExpected(
  userId: UserId,
  confirmed: Today | null | undefined,
  { userId: whose, clock, isOfOtherTab }: Expectation,
): Today | null {
  if (!confirmed || clock === null || whose !== userId) return confirmed ?? null;
  const ageMs = confirmed.serverNowMs - clock.sinceMs;
  const isOver = isOfOtherTab && ageMs > OTHERS_EXPECTED_FOR_MS;
  return isOver ? confirmed : todayAfter(confirmed, clock);
}

/** Stores the server's state of today, unless a newer one is known. */
export function takeToday(userId: UserId, today: Today): void {
  if (!isNewer(today, confirmedToday(userId))) return;
  queryClient.setQueryData(todayKey(userId), today);
  otherTabs.post({ userId, today });
}

/** Stores today from a notice, and with it the server's time, unless a newer state is known. */
export function takePushedToday(userId: UserId, today: Today): void {
  if (isNewer(today, confirmedToday(userId))) adjustClockByPush(today.serverNowMs);
  takeToday(userId, today);
}

/** Applies a clock from the server to today; earlier changes are already included. */
function applyClock(userId: UserId, clock: FocusClock): void {
  const confirmed = confirmedToday(userId);
  if (confirmed === undefined || clock.sinceMs < confirmed.serverNowMs) return;
  queryClient.setQueryData(todayKey(userId), todayAfter(confirmed, clock));
}

/** Applies the own clock from the server to today. */
export function applyOwnClock(userId: UserId, clock: FocusClock): void {
  applyClock(userId, clock);
  otherTabs.post({ userId, clock });
}

/**
 * Applies a move to today at once, before the server answers it. Until then no server state without the move
 * is shown (decision 021). Returns a function that ends the expectation.
 */
export function expectClock(userId: UserId, expected: FocusClock): () => void {
  const expect = (clock: FocusClock | null) => {
    useExpectation.setState({ userId, clock, isOfOtherTab: false });
    otherTabs.post({ userId, expected: clock });
  };
  expect(expected);
  return () => {
    // Another move may be pending by now.
    if (useExpectation.getState().clock === expected) expect(null);
  };
}

/**
 * Today after the learner's status changed. It does not change beyond the end of the day: the server knows
 * the next one.
 */
export function todayAfter(today: Today, { status, sinceMs }: FocusClock): Today {
  if (sinceMs >= today.dayEndsAtMs) return today;
  const isRunning = today.runningSinceMs !== null;
  if (status === 'focus') return isRunning ? today : { ...today, runningSinceMs: sinceMs };
  return isRunning ? { ...today, focusMs: todayMs(today, sinceMs), runningSinceMs: null } : today;
}

/** An ended clock, later than anything known of today. */
function endedNow(userId: UserId): FocusClock {
  return stillClock('ended', Math.max(serverNowMs(), confirmedToday(userId)?.serverNowMs ?? 0));
}

/** Stops today while the learner leaves the room, and continues it if that fails. */
export async function stopTodayOnLeave(userId: UserId, leave: () => Promise<void>): Promise<void> {
  const endExpectation = expectClock(userId, endedNow(userId));
  try {
    await leave();
    applyOwnClock(userId, endedNow(userId));
  } finally {
    endExpectation();
    void reloadToday(userId);
  }
}

/** Applies messages of other tabs of this browser to the learner's day. Returns a cleanup function. */
function syncWithOtherTabs(userId: UserId): () => void {
  return otherTabs.listen((message) => {
    if (message.userId !== userId) return;
    if ('today' in message) queryClient.setQueryData(todayKey(userId), message.today);
    else if ('clock' in message) applyClock(userId, message.clock);
    else useExpectation.setState({ userId, clock: message.expected, isOfOtherTab: true });
  });
}

/**
 * The learner's study time of today, kept up to date while the caller is mounted: loaded every minute, and
 * whenever the page may have missed something. Any number of callers, in any number of tabs, share one
 * request: each answer delays everybody's next one.
 */
export function useToday(userId: UserId): Loaded<Today> {
  const loaded = useLoaded(todayKey(userId), () => askForToday(userId), {
    staleTime: RELOAD_EVERY_MS,
    refetchInterval: RELOAD_EVERY_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => syncWithOtherTabs(userId), [userId]);
  useEffect(() => onClockUncertain(() => void loadToday(userId)), [userId]);
  return { ...loaded, value: useExpected(userId, loaded.value) };
}

function useExpected(userId: UserId, confirmed: Today | null): Today | null {
  const expectation = useExpectation();
  return useMemo(
    () => todayExpected(userId, confirmed, expectation),
    [userId, confirmed, expectation],
  );
}

/** The server's state of today, without loading it; null until known, and for a logged-out visitor. */
export function useConfirmedToday(userId: UserId | null): Today | null {
  const { data } = useQuery(
    {
      queryKey: todayKey(userId),
      queryFn: userId === null ? skipToken : () => askForToday(userId),
      enabled: false,
    },
    queryClient,
  );
  return data ?? null;
}

/**
 * The server's state of today as a key that changes whenever sums over days do: the day, its whole minutes,
 * and whether it advances. Null until known.
 */
export function useTodayMinutes(userId: UserId): string | null {
  const confirmed = useConfirmedToday(userId);
  if (confirmed === null) return null;
  const minutes = Math.floor(todayMs(confirmed, confirmed.serverNowMs) / 60_000);
  return `${confirmed.day} ${minutes} ${confirmed.focusMs} ${confirmed.runningSinceMs !== null}`;
}

/** Today's focus in whole, ticking seconds; null until known. */
export function useTodaySeconds(userId: UserId): number | null {
  const today = useExpected(userId, useConfirmedToday(userId));
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
