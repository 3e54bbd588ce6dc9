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
/** Another tab is believed for so long: it may be gone. A press of this tab may wait for minutes (decision 090). */
const OTHERS_EXPECTED_FOR_MS = 15_000;

/** What tabs send each other: what the server said, or where a move under way will lead. */
const TodayMessage = z.union([
  z.object({ userId: UserId, today: Today }),
  z.object({ userId: UserId, clock: FocusClock }),
  z.object({ userId: UserId, expected: z.nullable(FocusClock) }),
]);
const otherTabs = createTabChannel('mogakgong.today', TodayMessage);

interface Expectation {
  readonly userId: UserId | null;
  /** Null while no move is under way. */
  readonly clock: FocusClock | null;
  readonly isOfOtherTab: boolean;
}

/** Kept apart from what the server said, which does not know of the move yet (decision 021). */
const useExpectation = create<Expectation>()(() => ({
  userId: null,
  clock: null,
  isOfOtherTab: false,
}));

/** What the server said of today, in the cache. */
const todayKey = (userId: UserId | null) => ['today', userId] as const;

queryClient.setQueryDefaults(['today'], {
  // Answers, notices and other tabs overtake each other: the newest stays.
  structuralSharing: (known, answer) => (isNewer(answer as Today, known as Today) ? answer : known),
});

const isNewer = (answer: Today, known: Today | undefined) =>
  known === undefined || answer.serverNowMs >= known.serverNowMs;

const confirmedToday = (userId: UserId) => queryClient.getQueryData<Today>(todayKey(userId));

/** Asks the server, and sends its answer to the other tabs; throws `ApiError`. */
async function askForToday(userId: UserId): Promise<Today> {
  const fallback = translate('today.loadFailed');
  const today = await timedCall(() => call(getToday, {}, { fallback }));
  otherTabs.post({ userId, today });
  return today;
}

/** Asks the server, once at a time. What is known stays when no answer comes. */
export async function loadToday(userId: UserId): Promise<void> {
  const query = { queryKey: todayKey(userId), queryFn: () => askForToday(userId), staleTime: 0 };
  // The query keeps the error, which is shown where its value is.
  await queryClient.fetchQuery(query).catch(() => undefined);
}

/** Asks again, whatever is being asked; but not for a learner who has logged out or never asked. */
async function reloadToday(userId: UserId): Promise<void> {
  if (confirmedToday(userId) === undefined || readAccessToken() === null) return;
  await queryClient.cancelQueries({ queryKey: todayKey(userId) });
  await loadToday(userId);
}

/** What the learner studied today, or null until it is known. */
export function knownToday(userId: UserId): Today | null {
  return todayExpected(userId, confirmedToday(userId), useExpectation.getState());
}

/** Today as it will be once a move under way is answered: what is shown. */
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

/** Takes what the server says about today, unless something newer is known. */
export function takeToday(userId: UserId, today: Today): void {
  if (!isNewer(today, confirmedToday(userId))) return;
  queryClient.setQueryData(todayKey(userId), today);
  otherTabs.post({ userId, today });
}

/** Takes today from a notice, and with it the server's time, unless something newer is known. */
export function takePushedToday(userId: UserId, today: Today): void {
  if (isNewer(today, confirmedToday(userId))) adjustClockByPush(today.serverNowMs);
  takeToday(userId, today);
}

/** Lets today follow what the server says of the clock; what changed before that answer is in it. */
function follow(userId: UserId, clock: FocusClock): void {
  const confirmed = confirmedToday(userId);
  if (confirmed === undefined || clock.sinceMs < confirmed.serverNowMs) return;
  queryClient.setQueryData(todayKey(userId), todayAfter(confirmed, clock));
}

/** Lets today follow one's own clock, as the server has it. */
export function followOwnClock(userId: UserId, clock: FocusClock): void {
  follow(userId, clock);
  otherTabs.post({ userId, clock });
}

/**
 * Lets today follow a move at once, before the server answers it. Until then nothing that the server
 * says without knowing of it is shown (decision 021). Returns a function that ends that.
 */
export function expectClock(userId: UserId, expected: FocusClock): () => void {
  const expect = (clock: FocusClock | null) => {
    useExpectation.setState({ userId, clock, isOfOtherTab: false });
    otherTabs.post({ userId, expected: clock });
  };
  expect(expected);
  return () => {
    // Another move may be under way by now.
    if (useExpectation.getState().clock === expected) expect(null);
  };
}

/**
 * Today after the learner's status changed. Beyond the end of the day it stays as it is: the server
 * knows what the next one holds.
 */
export function todayAfter(today: Today, { status, sinceMs }: FocusClock): Today {
  if (sinceMs >= today.dayEndsAtMs) return today;
  const isRunning = today.runningSinceMs !== null;
  if (status === 'focus') return isRunning ? today : { ...today, runningSinceMs: sinceMs };
  return isRunning ? { ...today, focusMs: todayMs(today, sinceMs), runningSinceMs: null } : today;
}

/** A clock that has ended, later than anything that is known of today. */
function endedNow(userId: UserId): FocusClock {
  return stillClock('ended', Math.max(serverNowMs(), confirmedToday(userId)?.serverNowMs ?? 0));
}

/** Lets today stand still while the learner leaves the room, and runs on if that fails. */
export async function expectLeaving(userId: UserId, leave: () => Promise<void>): Promise<void> {
  const endExpectation = expectClock(userId, endedNow(userId));
  try {
    await leave();
    followOwnClock(userId, endedNow(userId));
  } finally {
    endExpectation();
    void reloadToday(userId);
  }
}

/** Takes over what other tabs of this browser learn about the learner's day. Returns a cleanup function. */
function followOtherTabs(userId: UserId): () => void {
  return otherTabs.listen((message) => {
    if (message.userId !== userId) return;
    if ('today' in message) queryClient.setQueryData(todayKey(userId), message.today);
    else if ('clock' in message) follow(userId, message.clock);
    else useExpectation.setState({ userId, clock: message.expected, isOfOtherTab: true });
  });
}

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

/** What the server said of today, without asking for it; null until it is known, and for nobody. */
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
 * What the server said of today, as a key that changes whenever sums over days do: the day, its whole
 * minutes, and whether it runs. Null until it is known.
 */
export function useTodayMinutes(userId: UserId): string | null {
  const confirmed = useConfirmedToday(userId);
  if (confirmed === null) return null;
  const minutes = Math.floor(todayMs(confirmed, confirmed.serverNowMs) / 60_000);
  return `${confirmed.day} ${minutes} ${confirmed.focusMs} ${confirmed.runningSinceMs !== null}`;
}

/** Focused today, in whole seconds that tick; null until it is known. */
export function useTodaySeconds(userId: UserId): number | null {
  const today = useExpected(userId, useConfirmedToday(userId));
  return useSecond((nowMs) => today && Math.floor(todayMs(today, nowMs) / 1_000));
}
