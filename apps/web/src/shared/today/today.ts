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
const isOf = (userId: UserId) => useTodayStore.getState().userId === userId;

const stateOf = (userId: UserId) => todayOf(useTodayStore.getState(), userId);

/** What the learner studied today, or null until it is known. */
export function knownToday(userId: UserId): Today | null {
  return stateOf(userId).today;
}

function change(userId: UserId, changed: Partial<Omit<TodayState, 'today'>>): void {
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
  change(userId, { confirmed: today, error: null });
  return true;
}

/** Lets today follow what the server says of the clock; what changed before today was told is in it. */
function follow(userId: UserId, clock: FocusClock): void {
  const { confirmed } = stateOf(userId);
  if (confirmed === null || clock.sinceMs < confirmed.serverNowMs) return;
  change(userId, { confirmed: todayAfter(confirmed, clock) });
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
 * Lets today follow a move at once, before the server answers it; null ends that. Until then nothing
 * that the server says without knowing of it is shown (decision 021).
 */
export function expectClock(userId: UserId, expected: FocusClock | null): void {
  if (!isOf(userId)) return;
  change(userId, { expected });
  otherTabs.tell({ userId, expected });
}

/** Lets today stand still while the learner leaves the room, and runs on if that fails. */
export async function expectLeaving(userId: UserId, leave: () => Promise<void>): Promise<void> {
  const knownMs = stateOf(userId).confirmed?.serverNowMs ?? 0;
  const ended = stillClock('ended', Math.max(serverNowMs(), knownMs));
  expectClock(userId, ended);
  try {
    await leave();
    followOwnClock(userId, ended);
  } finally {
    expectClock(userId, null);
    void reloadToday(userId);
  }
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
  return otherTabs.listen((news) => {
    if (news.userId !== userId) return;
    if ('today' in news) takeNewer(userId, news.today);
    else if ('clock' in news) follow(userId, news.clock);
    else change(userId, { expected: news.expected });
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
