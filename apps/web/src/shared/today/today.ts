import { type FocusClock, type Today, todayMs, type UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { notePushedTime } from '../clock/index.ts';
import { otherTabs } from './other-tabs.ts';

/** What a learner studied today, as far as this tab knows. */
interface TodayState {
  /** What is shown: the server's, and what is expected of a move that it has not answered yet. */
  readonly today: Today | null;
  /** What the server said. */
  readonly confirmed: Today | null;
  /** Where a move that is under way will lead; null while none is. */
  readonly expected: FocusClock | null;
  /** What the last question failed with, as a text for the learner. */
  readonly error: string | null;
  readonly isLoading: boolean;
}

/** Only who is logged in has one: another learner's is forgotten. */
interface OwnedState extends TodayState {
  readonly userId: UserId | null;
}

const NOT_ASKED: TodayState = {
  today: null,
  confirmed: null,
  expected: null,
  error: null,
  isLoading: true,
};

/** No move is under way for longer: its call has run out, or its tab is gone. */
const EXPECTED_FOR_MS = 15_000;

export const useTodayStore = create<OwnedState>()(() => ({ userId: null, ...NOT_ASKED }));

/** The part of the store that is this learner's. */
export function todayOf(state: OwnedState, userId: UserId): TodayState {
  return state.userId === userId ? state : NOT_ASKED;
}

/** Whether it is this learner's day, and not of who logged in since. */
export const isOf = (userId: UserId) => useTodayStore.getState().userId === userId;

const stateOf = (userId: UserId) => todayOf(useTodayStore.getState(), userId);

/** What the learner studied today, or null until it is known. */
export function knownToday(userId: UserId): Today | null {
  return stateOf(userId).today;
}

/** Changes what is known of a learner's day, and of nobody else's from here on. */
export function changeToday(userId: UserId, changed: Partial<Omit<TodayState, 'today'>>): void {
  const before = stateOf(userId);
  const state = { ...before, ...changed, userId };
  const isSame = state.confirmed === before.confirmed && state.expected === before.expected;
  const today = isSame ? before.today : todayExpected(state.confirmed, state.expected);
  useTodayStore.setState({ ...state, today });
}

function todayExpected(confirmed: Today | null, expected: FocusClock | null): Today | null {
  if (confirmed === null || expected === null) return confirmed;
  const isOver = confirmed.serverNowMs - expected.sinceMs > EXPECTED_FOR_MS;
  return isOver ? confirmed : todayAfter(confirmed, expected);
}

/** Takes what the server says about today unless something newer is known; false if it is. */
function takeNewer(userId: UserId, today: Today): boolean {
  const { confirmed } = stateOf(userId);
  if (confirmed !== null && today.serverNowMs < confirmed.serverNowMs) return false;
  changeToday(userId, { confirmed: today, error: null });
  return true;
}

/** Lets today follow what the server says of the clock; what changed before today was told is in it. */
function follow(userId: UserId, clock: FocusClock): void {
  const { confirmed } = stateOf(userId);
  if (confirmed === null || clock.sinceMs < confirmed.serverNowMs) return;
  changeToday(userId, { confirmed: todayAfter(confirmed, clock) });
}

/** Takes what the server says about today, unless something newer is known. */
export function takeToday(userId: UserId, today: Today): void {
  if (takeNewer(userId, today)) otherTabs.tell({ userId, today });
}

/** Takes today from a notice, and with it the server's time, unless something newer is known. */
export function takePushedToday(userId: UserId, today: Today): void {
  const { confirmed } = stateOf(userId);
  if (confirmed === null || today.serverNowMs >= confirmed.serverNowMs) {
    notePushedTime(today.serverNowMs);
  }
  takeToday(userId, today);
}

/** Lets today follow one's own clock, as the server has it. */
export function followOwnClock(userId: UserId, clock: FocusClock): void {
  follow(userId, clock);
  otherTabs.tell({ userId, clock });
}

/**
 * Lets today follow a move at once, before the server answers it. Until then nothing that the server
 * says without knowing of it is shown (decision 021). Answers how to end that.
 */
export function expectClock(userId: UserId, expected: FocusClock): () => void {
  setExpected(userId, expected);
  return () => {
    // Another move may be under way by now.
    if (stateOf(userId).expected === expected) setExpected(userId, null);
  };
}

function setExpected(userId: UserId, expected: FocusClock | null): void {
  if (!isOf(userId)) return;
  changeToday(userId, { expected });
  otherTabs.tell({ userId, expected });
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

/**
 * Hears what other tabs of this browser learn about the learner's day, and calls back when the server
 * has answered one of them. Answers how to stop that.
 */
export function followOtherTabs(userId: UserId, onAnswered: () => void): () => void {
  return otherTabs.listen((news) => {
    if (news.userId !== userId) return;
    if ('today' in news) {
      if (takeNewer(userId, news.today)) onAnswered();
    } else if ('clock' in news) follow(userId, news.clock);
    else changeToday(userId, { expected: news.expected });
  });
}
