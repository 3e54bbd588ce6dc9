import { serverOffsetMs } from '@mogakgong/contract';

interface Reading {
  readonly offsetMs: number;
  /** The true offset is at most this far from `offsetMs`. */
  readonly toleranceMs: number;
  readonly receivedAtMs: number;
}

/** A push does not tell its transit time; it is rarely longer than this. */
const PUSH_TOLERANCE_MS = 1_000;
/** Clocks of computers drift apart by less than this a second. */
const DRIFT_MS_PER_SECOND = 0.1;
/** On a slow network every push is late: the clock is reported as uncertain at most this often. */
const UNCERTAIN_EVERY_MS = 10_000;

let best: Reading | null = null;
let uncertainAtMs = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();
const uncertainListeners = new Set<() => void>();

/**
 * The server's clock as this page knows it, in whole milliseconds since 1970; this computer's until it is
 * known. Rounded, because the middle of a request may be a half.
 */
export function serverNowMs(): number {
  return Math.round(Date.now() + (best?.offsetMs ?? 0));
}

/** Adjusts the server's clock by a reply; `sentAtMs` is this computer's time of the request. */
export function adjustClockByReply(serverTimeMs: number, sentAtMs: number): void {
  const receivedAtMs = Date.now();
  const offsetMs = serverOffsetMs({ serverNowMs: serverTimeMs, sentAtMs, receivedAtMs });
  const toleranceMs = Math.max(0, receivedAtMs - sentAtMs) / 2;
  const apartMs = Math.abs(offsetMs - (best?.offsetMs ?? offsetMs));
  const knownMs = toleranceAt(receivedAtMs);
  // Both cannot be right: this computer's clock was set, or it slept.
  const isContradiction = apartMs > knownMs + toleranceMs;
  if (toleranceMs <= knownMs || isContradiction) setBest({ offsetMs, toleranceMs, receivedAtMs });
}

/** Makes a call and adjusts the server's clock by its reply. */
export async function timedCall<T extends { readonly serverNowMs: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  const sentAtMs = Date.now();
  const answer = await ask();
  adjustClockByReply(answer.serverNowMs, sentAtMs);
  return answer;
}

/**
 * Adjusts the server's clock by a pushed message. Its transit time is unknown, so the server's clock is at
 * least this far: it moves the clock forward only, and a clock that seems to be ahead is uncertain.
 */
export function adjustClockByPush(serverTimeMs: number): void {
  const receivedAtMs = Date.now();
  const offsetMs = serverTimeMs - receivedAtMs;
  const aheadMs = offsetMs - (best?.offsetMs ?? Number.NEGATIVE_INFINITY);
  const knownMs = best === null ? 0 : toleranceAt(receivedAtMs);
  if (aheadMs > knownMs) setBest({ offsetMs, toleranceMs: PUSH_TOLERANCE_MS, receivedAtMs });
  // Within the tolerance: the latest possible time stays the same.
  else if (aheadMs > 0) setBest({ offsetMs, toleranceMs: knownMs - aheadMs, receivedAtMs });
  else if (aheadMs < -PUSH_TOLERANCE_MS) reportUncertain();
}

/**
 * This computer's clock was set, or it slept: the next reply of the server counts, however long it takes.
 * Until then the offset stays, which is right after a sleep.
 */
export function invalidateServerClock(): void {
  if (best !== null) best = { ...best, toleranceMs: Number.POSITIVE_INFINITY };
}

/**
 * Calls back when the server's time should be requested, because a push is behind the clock: it was late, or
 * this computer's clock was set forward. Returns a cleanup function.
 */
export function onClockUncertain(listener: () => void): () => void {
  uncertainListeners.add(listener);
  return () => uncertainListeners.delete(listener);
}

function reportUncertain(): void {
  const nowMs = performance.now();
  if (nowMs - uncertainAtMs < UNCERTAIN_EVERY_MS) return;
  uncertainAtMs = nowMs;
  for (const listener of [...uncertainListeners]) listener();
}

function setBest(reading: Reading): void {
  best = reading;
  for (const listener of [...listeners]) listener();
}

/** The maximum error of the best offset; unlimited without one. */
function toleranceAt(atMs: number): number {
  if (best === null) return Number.POSITIVE_INFINITY;
  const ageSeconds = Math.abs(atMs - best.receivedAtMs) / 1_000;
  return best.toleranceMs + ageSeconds * DRIFT_MS_PER_SECOND;
}

/** Calls back when the server's clock was adjusted; returns a cleanup function. */
export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resets the server's clock, for tests. */
export function resetServerClock(): void {
  best = null;
  uncertainAtMs = Number.NEGATIVE_INFINITY;
}
