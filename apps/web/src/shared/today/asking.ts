import { getToday, stillClock, type UserId } from '@mogakgong/contract';
import { ApiError, call, readAccessToken } from '../api/index.ts';
import { answerInTime, serverNowMs } from '../clock/index.ts';
import { translate } from '../i18n/texts.ts';
import {
  changeToday,
  expectClock,
  followOwnClock,
  isOf,
  takeToday,
  useTodayStore,
} from './today.ts';

let asking: { readonly userId: UserId; readonly answer: Promise<void> } | null = null;

async function ask(userId: UserId): Promise<void> {
  changeToday(userId, { isLoading: true });
  const fallback = translate('today.loadFailed');
  try {
    const today = await answerInTime(() => call(getToday, {}, { fallback }));
    if (!isOf(userId)) return;
    takeToday(userId, today);
    changeToday(userId, { isLoading: false });
  } catch (error) {
    // What is known stays. A log-in that ended is noticed elsewhere.
    const text = error instanceof ApiError ? error.message : translate('call.unexpected');
    if (isOf(userId)) changeToday(userId, { error: text, isLoading: false });
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

/** A clock that has ended, later than anything that is known of today. */
function endedNow() {
  const knownMs = useTodayStore.getState().confirmed?.serverNowMs ?? 0;
  return stillClock('ended', Math.max(serverNowMs(), knownMs));
}

/** Lets today stand still while the learner leaves the room, and runs on if that fails. */
export async function expectLeaving(userId: UserId, leave: () => Promise<void>): Promise<void> {
  const endExpectation = expectClock(userId, endedNow());
  try {
    await leave();
    followOwnClock(userId, endedNow());
  } finally {
    endExpectation();
    void reloadToday(userId);
  }
}
