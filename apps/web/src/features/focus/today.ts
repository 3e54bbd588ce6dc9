import { type FocusClock, type Today, todayMs, type UserId } from '@mogakgong/contract';
import { notePushedTime, serverNowMs } from '../../shared/clock/index.ts';
import { fetchToday } from './focus-calls.ts';

interface OwnToday {
  readonly userId: UserId;
  readonly today: Today;
}

let own: OwnToday | null = null;
const listeners = new Set<() => void>();

function set(userId: UserId, today: Today): void {
  own = { userId, today };
  for (const listener of [...listeners]) listener();
}

/** What a learner studied today, as far as this tab knows. */
export function knownToday(userId: UserId): Today | null {
  return own?.userId === userId ? own.today : null;
}

/** For `useSyncExternalStore`. */
export function subscribeToToday(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes what the server says about today, unless something newer is known. */
export function takeToday(userId: UserId, today: Today): void {
  const known = knownToday(userId);
  if (known === null || today.serverNowMs >= known.serverNowMs) set(userId, today);
}

/** Takes today from a notice, and with it the server's time, unless something newer is known. */
export function takePushedToday(userId: UserId, today: Today): void {
  const known = knownToday(userId);
  if (known !== null && today.serverNowMs < known.serverNowMs) return;
  notePushedTime(today.serverNowMs);
  set(userId, today);
}

/**
 * Lets today follow one's own clock at once, before the server says so. What changed before today was
 * told is in it already.
 */
export function followOwnClock(userId: UserId, clock: FocusClock): void {
  const known = knownToday(userId);
  if (known === null || clock.sinceMs < known.serverNowMs) return;
  set(userId, todayAfter(known, clock));
}

/** Lets today stand still at once: the learner leaves the room. */
export function stopToday(userId: UserId): void {
  const known = knownToday(userId);
  if (known === null) return;
  set(
    userId,
    todayAfter(known, { status: 'pause', sinceMs: serverNowMs(), focusMs: 0, awayMs: 0 }),
  );
}

/** Asks the server anew, after the answer to a question that is under way. */
export async function reloadToday(userId: UserId): Promise<void> {
  if (asking?.userId === userId) await asking.answer;
  await loadToday(userId);
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

let asking: { readonly userId: UserId; readonly answer: Promise<void> } | null = null;

/**
 * Asks the server, once at a time. What is known stays when no answer comes: the next try is soon.
 */
export function loadToday(userId: UserId): Promise<void> {
  if (asking?.userId === userId) return asking.answer;
  const answer = fetchToday()
    .then((today) => takeToday(userId, today))
    // A log-in that ended is noticed elsewhere.
    .catch(() => undefined)
    .finally(() => {
      if (asking?.answer === answer) asking = null;
    });
  asking = { userId, answer };
  return answer;
}
