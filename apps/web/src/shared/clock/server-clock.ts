import { serverOffsetMs } from '@mogakgong/contract';

interface Reading {
  readonly offsetMs: number;
  /** The true offset is at most this far from `offsetMs`. */
  readonly toleranceMs: number;
  readonly receivedAtMs: number;
}

/** What is pushed does not say how long it was on its way; it is rarely longer than this. */
const PUSHED_TOLERANCE_MS = 1_000;
/** Clocks of computers drift apart by less than this a second. */
const DRIFT_MS_PER_SECOND = 0.1;
/** On a slow network every push is late; the server is not asked about each. */
const DOUBTS_APART_MS = 10_000;

let best: Reading | null = null;
let askedAtMs = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();
const doubters = new Set<() => void>();

/**
 * The server's clock as this page knows it, in whole milliseconds since 1970; its own until it knows.
 * The middle of a question and its answer may lie between two.
 */
export function serverNowMs(): number {
  return Math.round(Date.now() + (best?.offsetMs ?? 0));
}

/** Takes the server's time from an answer; `sentAtMs` and now are of this computer's clock. */
export function noteAnsweredTime(serverTimeMs: number, sentAtMs: number): void {
  const receivedAtMs = Date.now();
  const reading = {
    offsetMs: serverOffsetMs({ serverNowMs: serverTimeMs, sentAtMs, receivedAtMs }),
    toleranceMs: Math.max(0, receivedAtMs - sentAtMs) / 2,
    receivedAtMs,
  };
  if (best === null || isSurer(reading, best) || contradicts(reading, best)) take(reading);
}

/** Takes the server's time from an answer on its way to the caller. */
export async function answerInTime<T extends { readonly serverNowMs: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  const sentAtMs = Date.now();
  const answer = await ask();
  noteAnsweredTime(answer.serverNowMs, sentAtMs);
  return answer;
}

/**
 * Takes the server's time from what it sent unasked. How long that was on its way is not known, so
 * the server's clock is at least as far ahead as it says: it moves the clock forward, and a clock that
 * seems to be ahead is asked about.
 */
export function notePushedTime(serverTimeMs: number): void {
  const receivedAtMs = Date.now();
  const offsetMs = serverTimeMs - receivedAtMs;
  if (best === null) {
    take({ offsetMs, toleranceMs: PUSHED_TOLERANCE_MS, receivedAtMs });
    return;
  }
  const aheadMs = offsetMs - best.offsetMs;
  const knownMs = toleranceNow(best, receivedAtMs);
  if (aheadMs > knownMs) take({ offsetMs, toleranceMs: PUSHED_TOLERANCE_MS, receivedAtMs });
  // Within what was possible: the latest possible time stays the same.
  else if (aheadMs > 0) take({ offsetMs, toleranceMs: knownMs - aheadMs, receivedAtMs });
  else if (aheadMs < -PUSHED_TOLERANCE_MS) askAboutDoubt();
}

/**
 * This computer's clock was set, or it slept: the next answer of the server wins, however long it
 * takes. Until then the offset stays, which after a sleep is right.
 */
export function distrustServerClock(): void {
  if (best !== null) best = { ...best, toleranceMs: Number.POSITIVE_INFINITY };
}

/**
 * Calls back when the server's time should be asked for, because what it pushed is behind the clock:
 * it was late, or this computer's clock was set forward. Returns a cleanup function.
 */
export function onClockDoubt(ask: () => void): () => void {
  doubters.add(ask);
  return () => doubters.delete(ask);
}

function askAboutDoubt(): void {
  const nowMs = performance.now();
  if (nowMs - askedAtMs < DOUBTS_APART_MS) return;
  askedAtMs = nowMs;
  for (const ask of [...doubters]) ask();
}

function isSurer(reading: Reading, known: Reading): boolean {
  return reading.toleranceMs <= toleranceNow(known, reading.receivedAtMs);
}

/** Both cannot be right: this computer's clock was set, or it slept. */
function contradicts(reading: Reading, known: Reading): boolean {
  const apartMs = Math.abs(reading.offsetMs - known.offsetMs);
  return apartMs > toleranceNow(known, reading.receivedAtMs) + reading.toleranceMs;
}

function take(reading: Reading): void {
  best = reading;
  for (const listener of [...listeners]) listener();
}

function toleranceNow(reading: Reading, atMs: number): number {
  const ageSeconds = Math.abs(atMs - reading.receivedAtMs) / 1_000;
  return reading.toleranceMs + ageSeconds * DRIFT_MS_PER_SECOND;
}

/** Calls back when the server's clock turns out to be another; returns a cleanup function. */
export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets the server's clock, for tests. */
export function forgetServerClock(): void {
  best = null;
  askedAtMs = Number.NEGATIVE_INFINITY;
}
