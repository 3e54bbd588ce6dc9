import { serverOffsetMs } from '@mogakgong/contract';

interface Reading {
  readonly serverNowMs: number;
  readonly offsetMs: number;
  /** The true offset is at most this far from `offsetMs`. */
  readonly toleranceMs: number;
  readonly receivedAtMs: number;
}

/** What is pushed does not say how long it was on its way; it is rarely longer than this. */
const PUSHED_TOLERANCE_MS = 1_000;
/** Clocks of computers drift apart by less than this a second. */
const DRIFT_MS_PER_SECOND = 0.1;

let best: Reading | null = null;
const listeners = new Set<() => void>();

/** The server's clock as this page knows it, in milliseconds since 1970; its own until it knows. */
export function serverNowMs(): number {
  return Date.now() + (best?.offsetMs ?? 0);
}

/** Takes the server's time from an answer; `sentAtMs` and now are of this computer's clock. */
export function noteAnsweredTime(serverTimeMs: number, sentAtMs: number): void {
  const receivedAtMs = Date.now();
  take({
    serverNowMs: serverTimeMs,
    offsetMs: serverOffsetMs({ serverNowMs: serverTimeMs, sentAtMs, receivedAtMs }),
    toleranceMs: Math.max(0, receivedAtMs - sentAtMs) / 2,
    receivedAtMs,
  });
}

/** Takes the server's time from what it sent unasked. */
export function notePushedTime(serverTimeMs: number): void {
  const receivedAtMs = Date.now();
  take({
    serverNowMs: serverTimeMs,
    offsetMs: serverTimeMs - receivedAtMs,
    toleranceMs: PUSHED_TOLERANCE_MS,
    receivedAtMs,
  });
}

/**
 * Keeps the surest reading. One that contradicts it wins whatever it is: then this computer's clock
 * was set, or it slept.
 */
function take(reading: Reading): void {
  const known = best && toleranceNow(best, reading.receivedAtMs);
  const isSurer = best === null || known === null || reading.toleranceMs <= known;
  const contradicts =
    best !== null &&
    known !== null &&
    Math.abs(reading.offsetMs - best.offsetMs) > known + reading.toleranceMs;
  if (!isSurer && !contradicts) return;
  best = reading;
  for (const listener of [...listeners]) listener();
}

function toleranceNow(reading: Reading, atMs: number): number {
  const ageSeconds = Math.abs(atMs - reading.receivedAtMs) / 1_000;
  return reading.toleranceMs + ageSeconds * DRIFT_MS_PER_SECOND;
}

/** Calls back when the server's clock turns out to be another; answers how to stop that. */
export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets the server's clock, for tests. */
export function forgetServerClock(): void {
  best = null;
}
