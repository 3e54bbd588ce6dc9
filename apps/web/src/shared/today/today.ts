import {
  FocusClock,
  getToday,
  nextPhaseMs,
  stillClock,
  Today,
  todayMs,
  UserId,
} from '@mogakgong/contract';
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
  onSecond,
  serverNowMs,
  timedCall,
  useSecond,
} from '../clock/index.ts';
import { translate } from '../i18n/texts.ts';
import { createTabChannel } from '../lib/tab-channel.ts';
import {
  clockOf,
  expectedHere,
  type OwnClock,
  type OwnClockEvent,
  ownClockAfter,
  todayWith,
  UNKNOWN_CLOCK,
} from './own-clock.ts';

/** Specification §9. */
const RELOAD_EVERY_MS = 60_000;

/** Messages between tabs: a state from the server, or the result of a pending move. */
const TodayMessage = z.union([
  z.object({ userId: UserId, today: Today }),
  z.object({ userId: UserId, clock: FocusClock }),
  z.object({ userId: UserId, expected: z.nullable(FocusClock) }),
]);
const otherTabs = createTabChannel('mogakgong.today', TodayMessage);

/**
 * The learner's own clock in this tab: one for tile, bar, windows, header and title. It is kept apart from the
 * server's state of today, which may not include the last move yet (decision 021).
 */
export const useOwnClock = create<OwnClock>()(() => UNKNOWN_CLOCK);

/** The clock on a tile: one's own is ahead of the room's. */
export function useTileClock(tile: TileClock): FocusClock | null {
  return useOwnClock((own) => (tile.isSelf ? clockOf(own) : tile.clock));
}

interface TileClock {
  readonly isSelf: boolean;
  readonly clock: FocusClock | null;
}

function change(userId: UserId, event: OwnClockEvent): OwnClock {
  const known = useOwnClock.getState();
  const before = known.userId === userId ? known : { ...UNKNOWN_CLOCK, userId };
  useOwnClock.setState(ownClockAfter(before, event, serverNowMs()), true);
  awaitPhase(userId);
  return before;
}

let stopTicking: (() => void) | null = null;

/** While phases of a schedule change the clock, each second may begin one. */
function awaitPhase(userId: UserId): void {
  const { shown } = useOwnClock.getState();
  const isAwaited = shown !== null && nextPhaseMs(shown) !== null;
  if (isAwaited === (stopTicking !== null)) return;
  if (isAwaited) stopTicking = onSecond(() => void change(userId, { kind: 'ticked' }));
  else {
    stopTicking?.();
    stopTicking = null;
  }
}

/** Changes the learner's own clock by an event in this tab, and tells the other tabs. */
export function changeOwnClock(userId: UserId, event: OwnClockEvent): void {
  const before = change(userId, event);
  const after = useOwnClock.getState();
  const { known: clock } = after;
  if (clock !== null && clock !== before.known) otherTabs.post({ userId, clock });
  const [expected, last] = [expectedHere(after), expectedHere(before)];
  const isSame = expected?.status === last?.status && expected?.sinceMs === last?.sinceMs;
  if (!isSame) otherTabs.post({ userId, expected });
}

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
  return todayShown(userId, confirmedToday(userId) ?? null, useOwnClock.getState());
}

function todayShown(userId: UserId, confirmed: Today | null, own: OwnClock): Today | null {
  return confirmed && own.userId === userId ? todayWith(own, confirmed) : confirmed;
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

/** An ended clock, later than anything known of today. */
function endedNow(userId: UserId): FocusClock {
  return stillClock('ended', Math.max(serverNowMs(), confirmedToday(userId)?.serverNowMs ?? 0));
}

/** Stops today while the learner leaves the room, and continues it if that fails. */
export async function stopTodayOnLeave(userId: UserId, leave: () => Promise<void>): Promise<void> {
  const expected = { clock: endedNow(userId), isOfOtherTab: false };
  changeOwnClock(userId, { kind: 'expected', expected });
  try {
    await leave();
    changeOwnClock(userId, { kind: 'present', clock: endedNow(userId) });
  } finally {
    // Another change may be pending by now.
    if (useOwnClock.getState().expected === expected) {
      changeOwnClock(userId, { kind: 'expected', expected: null });
    }
    void reloadToday(userId);
  }
}

/** Takes the messages of other tabs of this browser. Returns a cleanup function. */
function syncWithOtherTabs(userId: UserId): () => void {
  return otherTabs.listen((message) => {
    if (message.userId !== userId) return;
    if ('today' in message) queryClient.setQueryData(todayKey(userId), message.today);
    else if ('clock' in message) change(userId, { kind: 'present', clock: message.clock });
    else {
      const expected = message.expected && { clock: message.expected, isOfOtherTab: true };
      change(userId, { kind: 'expected', expected });
    }
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
  return { ...loaded, value: useShown(userId, loaded.value) };
}

function useShown(userId: UserId, confirmed: Today | null): Today | null {
  const own = useOwnClock();
  return useMemo(() => todayShown(userId, confirmed, own), [userId, confirmed, own]);
}

/** The server's state of today, without loading it; null until known, and for a logged-out visitor. */
export function useConfirmedToday(userId: UserId | null): Today | null {
  const { data } = useQuery({
    queryKey: todayKey(userId),
    queryFn: userId === null ? skipToken : () => askForToday(userId),
    enabled: false,
  });
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
  const today = useShown(userId, useConfirmedToday(userId));
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
