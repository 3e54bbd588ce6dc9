import {
  type FocusClock,
  getToday,
  stillClock,
  type Today,
  todayMs,
  type UserId,
} from '@mogakgong/contract';
import { create } from 'zustand';
import { ApiError, call, readAccessToken } from '../api/index.ts';
import { answerInTime, notePushedTime, serverNowMs } from '../clock/index.ts';
import { translate } from '../i18n/texts.ts';
import { listenToTabs, type TodayNews, tellTabs } from './other-tabs.ts';

/** What a learner studied today, as far as this tab knows. */
interface TodayState {
  readonly today: Today | null;
  /** What the last question failed with, as a text for the learner. */
  readonly error: string | null;
  readonly isLoading: boolean;
}

/** Only who is logged in has one: another learner's is forgotten. */
interface OwnedState extends TodayState {
  readonly userId: UserId | null;
}

const NOT_ASKED: TodayState = { today: null, error: null, isLoading: true };

export const useTodayStore = create<OwnedState>()(() => ({ userId: null, ...NOT_ASKED }));

/** The part of the store that is this learner's. */
export function todayOf(state: OwnedState, userId: UserId): TodayState {
  return state.userId === userId ? state : NOT_ASKED;
}

/** What the learner studied today, or null until it is known. */
export function knownToday(userId: UserId): Today | null {
  return todayOf(useTodayStore.getState(), userId).today;
}

function change(userId: UserId, changed: Partial<TodayState>): void {
  useTodayStore.setState((state) => ({ ...todayOf(state, userId), ...changed, userId }));
}

/** Takes what the server says about today unless something newer is known; false if it is. */
function takeNewer(userId: UserId, today: Today): boolean {
  const known = knownToday(userId);
  if (known !== null && today.serverNowMs < known.serverNowMs) return false;
  change(userId, { today, error: null });
  return true;
}

/** Lets today follow a clock; what changed before today was told is in it already. */
function follow(userId: UserId, clock: FocusClock): boolean {
  const known = knownToday(userId);
  if (known === null || clock.sinceMs < known.serverNowMs) return false;
  change(userId, { today: todayAfter(known, clock) });
  return true;
}

/** Takes what the server says about today, unless something newer is known. */
export function takeToday(userId: UserId, today: Today): void {
  if (takeNewer(userId, today)) tellTabs({ userId, today });
}

/** Takes today from a notice, and with it the server's time, unless something newer is known. */
export function takePushedToday(userId: UserId, today: Today): void {
  const known = knownToday(userId);
  if (known === null || today.serverNowMs >= known.serverNowMs) notePushedTime(today.serverNowMs);
  takeToday(userId, today);
}

/** Lets today follow one's own clock at once, before the server says so. */
export function followOwnClock(userId: UserId, clock: FocusClock): void {
  if (follow(userId, clock)) tellTabs({ userId, clock });
}

/** Lets today stand still at once: the learner leaves the room. */
export function stopToday(userId: UserId): void {
  const sinceMs = Math.max(serverNowMs(), knownToday(userId)?.serverNowMs ?? 0);
  followOwnClock(userId, stillClock('ended', sinceMs));
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

/** Hears what other tabs of this browser learn about the learner's day; answers how to stop that. */
export function followOtherTabs(userId: UserId): () => void {
  return listenToTabs((news: TodayNews) => {
    if (news.userId !== userId) return;
    if ('today' in news) takeNewer(userId, news.today);
    else follow(userId, news.clock);
  });
}

let asking: { readonly userId: UserId; readonly answer: Promise<void> } | null = null;

async function ask(userId: UserId): Promise<void> {
  change(userId, { isLoading: true });
  const fallback = translate('today.loadFailed');
  try {
    const today = await answerInTime(() => call(getToday, {}, { fallback }));
    if (!isOf(userId)) return;
    takeToday(userId, today);
    change(userId, { isLoading: false });
  } catch (error) {
    // What is known stays. A log-in that ended is noticed elsewhere.
    const text = error instanceof ApiError ? error.message : translate('call.unexpected');
    if (isOf(userId)) change(userId, { error: text, isLoading: false });
  }
}

/** Whether it is still the day of the learner that was asked about, and not of who logged in since. */
const isOf = (userId: UserId) => useTodayStore.getState().userId === userId;

/** Asks the server, once at a time. What is known stays when no answer comes. */
export function loadToday(userId: UserId): Promise<void> {
  if (asking?.userId === userId) return asking.answer;
  const answer = ask(userId).finally(() => {
    if (asking?.answer === answer) asking = null;
  });
  asking = { userId, answer };
  return answer;
}

/**
 * Asks the server anew, after the answer to a question that is under way; but not for a learner who
 * has logged out or never asked.
 */
export async function reloadToday(userId: UserId): Promise<void> {
  if (asking?.userId === userId) await asking.answer;
  if (isOf(userId) && readAccessToken() !== null) await loadToday(userId);
}
